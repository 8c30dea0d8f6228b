//! Pages read back from their SVG, for tests.

use plotters::style::RGBColor;
use roxmltree::{Document, Node};

/// Everything on a page; places and sizes in pixels.
pub struct Page {
    pub size: [f64; 2],
    pub texts: Vec<(String, [f64; 2])>,
    shapes: Vec<Shape>,
}

/// A line through places, a disc at one, or a rectangle between two.
struct Shape {
    tag: String,
    color: String,
    places: Vec<[f64; 2]>,
}

impl Page {
    /// Reads what [`super::page`] wrote.
    pub fn read(svg: &str) -> Self {
        let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error} in:\n{svg}"));
        let root = document.root_element();
        let size = ["width", "height"].map(|name| number(root, name));
        let view: Vec<f64> = root.attribute("viewBox").expect("a view").split(' ').map(|part| part.parse().unwrap()).collect();
        let scale = size[0] / view[2];
        assert!((size[1] / view[3] - scale).abs() < 1e-6, "the page is stretched: {size:?} for {view:?}");
        let place = |node: Node<'_, '_>, names: [&str; 2]| names.map(|name| scale * number(node, name));
        let mut page = Self { size, texts: Vec::new(), shapes: Vec::new() };
        for node in root.children().filter(Node::is_element) {
            let (tag, start) = (node.tag_name().name(), ["x", "y"]);
            let places = match tag {
                "text" => {
                    page.texts.push((node.text().unwrap_or_default().trim().to_owned(), place(node, start)));
                    continue;
                }
                "circle" => vec![place(node, ["cx", "cy"])],
                "rect" => {
                    let ([x, y], [width, height]) = (place(node, start), place(node, ["width", "height"]));
                    vec![[x, y], [x + width, y + height]]
                }
                "polyline" => {
                    let pairs = node
                        .attribute("points")
                        .expect("points")
                        .split_whitespace()
                        .map(|pair| pair.split_once(',').expect("a pair"));
                    pairs.map(|(x, y)| [x, y].map(|part| scale * part.parse::<f64>().expect("a number"))).collect()
                }
                "line" => vec![place(node, ["x1", "y1"]), place(node, ["x2", "y2"])],
                _ => panic!("<{tag}> in:\n{svg}"),
            };
            let color = [node.attribute("fill"), node.attribute("stroke")].into_iter().flatten().find(|color| *color != "none");
            page.shapes.push(Shape { tag: tag.to_owned(), color: color.expect("a colour").to_owned(), places });
        }
        page
    }

    /// The place of a text that is there once.
    pub fn place(&self, text: &str) -> [f64; 2] {
        let places: Vec<_> = self.texts.iter().filter(|(content, _)| content == text).collect();
        assert_eq!(places.len(), 1, "{text:?} among {:?}", self.texts);
        places[0].1
    }

    /// Lines of this colour.
    pub fn lines(&self, color: RGBColor) -> Vec<&[[f64; 2]]> {
        self.shapes("polyline", color)
    }

    /// Centres of discs of this colour.
    pub fn discs(&self, color: RGBColor) -> Vec<[f64; 2]> {
        self.shapes("circle", color).into_iter().map(|places| places[0]).collect()
    }

    /// Corners of rectangles of this colour: the left upper one, the right lower one.
    pub fn rectangles(&self, color: RGBColor) -> Vec<&[[f64; 2]]> {
        self.shapes("rect", color)
    }

    fn shapes(&self, tag: &str, RGBColor(red, green, blue): RGBColor) -> Vec<&[[f64; 2]]> {
        let color = format!("#{red:02X}{green:02X}{blue:02X}");
        self.shapes.iter().filter(|shape| shape.tag == tag && shape.color == color).map(|shape| &shape.places[..]).collect()
    }
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}
