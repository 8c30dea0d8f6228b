//! Readers of heights: one ramp in every format; what is no grid of heights is an error with its place.

use super::*;
use proptest::prelude::*;

fn png(columns: u32, rows: u32, color: png::ColorType, depth: png::BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().expect("a header").write_image_data(pixels).expect("an image");
    bytes
}

/// Heights of 0, 1/5, 3/5 in the first row, and 1, 4/5, 2/5 in the second.
const RAMP: [f64; 6] = [0.0, 0.2, 0.6, 1.0, 0.8, 0.4];

#[test]
fn the_ramp_is_the_same_from_every_format() {
    let grey = |white: f64| RAMP.map(|height| (height * white).round() as u16);
    let eight: Vec<u8> = grey(255.0).iter().map(|&grey| grey as u8).collect();
    let sixteen: Vec<u8> = grey(65_535.0).iter().flat_map(|grey| grey.to_be_bytes()).collect();
    let color = png::ColorType::Grayscale;
    let found = [
        image::parse(&png(3, 2, color, png::BitDepth::Eight, &eight)),
        image::parse(&png(3, 2, color, png::BitDepth::Sixteen, &sixteen)),
        table::parse(b"# in metres\n0, 0.1, 0.3\n\n0.5,0.4, 0.2\n", 0.5),
    ];
    for (format, field) in found.into_iter().enumerate() {
        let field = field.expect("a sound file");
        assert_eq!((field.columns, field.heights.len()), (3, 6));
        assert!(field.heights.iter().zip(RAMP).all(|(a, b)| (a - b).abs() < 1e-12), "format {format}: {:?}", field.heights);
    }
}

#[test]
fn what_is_no_grid_of_heights_is_refused_with_its_place() {
    let table = |text: &str| table::parse(text.as_bytes(), 0.5).expect_err("a fault");
    assert_eq!(table("0, 0.1\n0, x"), "has no number in column 2 of line 2");
    assert_eq!(table("0, NaN"), "has a height of NaN m in column 2 of line 1, not 0 to 0.5 m as its box");
    assert_eq!(table("0, 0.1\n0, 0.6"), "has a height of 0.6 m in column 2 of line 2, not 0 to 0.5 m as its box");
    assert_eq!(table("0, 0.1\n0"), "has 1 heights on line 2, but 2 in the row before");
    assert_eq!(table("# nothing"), "has no heights");
    let image = |columns, rows, color, depth, pixels: &[u8]| {
        image::parse(&png(columns, rows, color, depth, pixels)).expect_err("a fault")
    };
    let rgb = image(1, 1, png::ColorType::Rgb, png::BitDepth::Eight, &[0; 3]);
    assert_eq!(rgb, "is not greyscale: its pixels are Rgb");
    assert_eq!(image(2, 1, png::ColorType::Grayscale, png::BitDepth::One, &[0]), "has 1 bits a pixel, not 8 or 16");
    let large = image(1001, 1000, png::ColorType::Grayscale, png::BitDepth::Eight, &vec![0; 1_001_000]);
    assert_eq!(large, "has more than 1000000 heights");
    assert!(image::parse(b"P5 2 2 255").expect_err("a fault").starts_with("is no PNG file: "));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes replaced and cut off.
    #[test]
    fn damaged_images_do_not_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in 0usize..20) {
        let mut bytes = png(3, 2, png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 50, 100, 150, 200, 250]);
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(bytes.len() - cut);
        let _ = image::parse(&bytes);
    }
}
