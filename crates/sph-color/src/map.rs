//! Colour maps: colours of fluids, and gradients of even lightness, so that equal steps of a value look like equal steps.
//!
//! Each is a few stops in OKLCh, the polar form of OKLab, joined by straight lines in OKLab (Björn Ottosson, "A perceptual color
//! space for image processing", 2020; the conversion is in the public domain). The stops are this project's own; the published maps
//! beside them are tables.

use crate::categories::{CATEGORIES, Swatches, category};
use sph_io::ColorMapName;

/// Colours from 0 to 1: a gradient, or the colours of fluids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMap {
    /// Deep blue, cyan, white: lightness rises throughout. Resembles water.
    #[default]
    Water,
    /// Blue to deep violet: lightness falls throughout. [`ColorMap::Water`] for a light backdrop, on which white is not seen.
    WaterOnLight,
    /// Blue, light grey, red: for values around a neutral middle.
    Diverging,
    /// Violet, red, orange, pale yellow: lightness rises throughout.
    Ember,
    /// Violet, green, yellow: lightness rises throughout.
    Viridis,
    /// Blue, grey, yellow: lightness rises throughout.
    Cividis,
    /// A rainbow.
    Turbo,
    /// A colour for each fluid.
    Swatches(Swatches),
    /// A colour for each of [`CATEGORIES`] numbers without an order.
    Categories,
}

/// Lightness of what is behind the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backdrop {
    /// Dark, as that of pictures without a window is.
    Dark,
    /// Light.
    Light,
}

/// A stop of a gradient: position 0 to 1, lightness, chroma, hue in degrees.
type Stop = (f32, f32, f32, f32);

const WATER: &[Stop] = &[
    (0.0, 0.518, 0.168, 262.0),
    (0.3, 0.62, 0.160, 252.0),
    (0.6, 0.765, 0.120, 222.0),
    (0.8, 0.87, 0.085, 202.0),
    (1.0, 0.985, 0.012, 200.0),
];

// Lighter colours would be outlined with ink, which makes them look darker.
const WATER_ON_LIGHT: &[Stop] =
    &[(0.0, 0.67, 0.135, 230.0), (0.35, 0.57, 0.165, 250.0), (0.7, 0.44, 0.190, 275.0), (1.0, 0.30, 0.160, 305.0)];

const EMBER: &[Stop] = &[
    (0.0, 0.36, 0.130, 295.0),
    (0.25, 0.51, 0.180, 340.0),
    (0.5, 0.66, 0.190, 25.0),
    (0.75, 0.80, 0.150, 68.0),
    (1.0, 0.96, 0.070, 100.0),
];

impl ColorMap {
    /// Every gradient that can be chosen by name.
    pub const ALL: [Self; 6] = [Self::Water, Self::Diverging, Self::Ember, Self::Viridis, Self::Cividis, Self::Turbo];

    /// The gradient of this name.
    pub fn of(name: ColorMapName) -> Self {
        match name {
            ColorMapName::Water => Self::Water,
            ColorMapName::Ember => Self::Ember,
            ColorMapName::Diverging => Self::Diverging,
            ColorMapName::Viridis => Self::Viridis,
            ColorMapName::Cividis => Self::Cividis,
            ColorMapName::Turbo => Self::Turbo,
        }
    }

    /// Name for menus and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Water | Self::WaterOnLight => "water",
            Self::Diverging => "diverging",
            Self::Ember => "ember",
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
            Self::Turbo => "turbo",
            Self::Swatches(_) => "fluids",
            Self::Categories => "categories",
        }
    }

    /// Colours at its two ends, in words.
    pub fn ends(self) -> [&'static str; 2] {
        match self {
            Self::Water => ["blue", "white"],
            Self::WaterOnLight => ["blue", "violet"],
            Self::Diverging => ["blue", "red"],
            Self::Ember => ["violet", "pale yellow"],
            Self::Viridis => ["violet", "yellow"],
            Self::Cividis => ["dark blue", "yellow"],
            Self::Turbo => ["dark blue", "dark red"],
            Self::Swatches(_) => ["that of the first fluid", "that of the last"],
            Self::Categories => ["that of the first number", "that of the last"],
        }
    }

    /// The colour at `t`, 0 to 1 (clamped), as sRGB. NaN is neutral grey.
    pub fn sample(self, t: f32) -> [u8; 3] {
        if t.is_nan() {
            return NAN_COLOR;
        }
        let t = t.clamp(0.0, 1.0);
        let stops = match self {
            Self::Water => WATER,
            Self::WaterOnLight => WATER_ON_LIGHT,
            Self::Ember => EMBER,
            Self::Diverging => return sample(&COOL_WARM, t),
            Self::Viridis => return sample(&VIRIDIS, t),
            Self::Cividis => return sample(&CIVIDIS, t),
            Self::Turbo => return sample(&TURBO, t),
            Self::Swatches(swatches) => return swatches.sample(t),
            Self::Categories => return category((t * (CATEGORIES - 1) as f32).round() as u32),
        };
        let end = stops.partition_point(|stop| stop.0 < t).clamp(1, stops.len() - 1);
        let (from, to) = (stops[end - 1], stops[end]);
        let along = (t - from.0) / (to.0 - from.0);
        let (from, to) = (from_stop(from), from_stop(to));
        srgb(std::array::from_fn(|axis| from[axis] + along * (to[axis] - from[axis])))
    }

    /// `N` colours evenly spaced from 0 to 1, both ends included.
    pub fn table<const N: usize>(self) -> [[u8; 3]; N] {
        std::array::from_fn(|place| self.sample(place as f32 / (N.max(2) - 1) as f32))
    }
}

/// The colour of NaN.
const NAN_COLOR: [u8; 3] = [128, 128, 128];

fn from_stop((_, lightness, chroma, hue): Stop) -> [f32; 3] {
    oklab(lightness, chroma, hue)
}

// Published colour maps: their tables, and the colours between two entries.

/// A published map: its colours at even distances, 0xRRGGBB.
pub(super) type Table = &'static [u32];

/// The colour at `t`, 0 to 1, linear between two of `colors`, as sRGB.
pub(super) fn sample(colors: Table, t: f32) -> [u8; 3] {
    let place = t * (colors.len() - 1) as f32;
    let first = (place as usize).min(colors.len() - 2);
    let part = place - first as f32;
    let [from, to] = [first, first + 1].map(|index| channels(colors[index]));
    std::array::from_fn(|channel| {
        let [from, to] = [from, to].map(|color| f32::from(color[channel]));
        (from + part * (to - from)).round() as u8
    })
}

fn channels(color: u32) -> [u8; 3] {
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue]
}

// Conversion from OKLab to sRGB (Björn Ottosson, "A perceptual color space for image processing", 2020; the conversion is in the
// public domain).

/// OKLab from lightness and chroma, 0 to 1, and hue, degrees.
pub(super) fn oklab(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma * cos, chroma * sin]
}

/// OKLab to 8-bit sRGB, clipped to its gamut.
pub(super) fn srgb([lightness, a, b]: [f32; 3]) -> [u8; 3] {
    let long = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let medium = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * long - 3.307_711_6 * medium + 0.230_969_94 * short,
        -1.268_438 * long + 2.609_757_4 * medium - 0.341_319_38 * short,
        -0.004_196_086_3 * long - 0.703_418_6 * medium + 1.707_614_7 * short,
    ];
    linear.map(|value| {
        let value = value.clamp(0.0, 1.0);
        let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (255.0 * encoded).round() as u8
    })
}

// Tables of published colour maps, as their authors give them, to 8 bits: 0xRRGGBB, sRGB-encoded, at even distances.

/// Viridis (N. Smith and S. van der Walt, 2015, CC0), from `_viridis_data` in `lib/matplotlib/_cm_listed.py` of matplotlib: lightness rises
/// evenly, also for colour-blind people and in grey.
pub(super) const VIRIDIS: [u32; 256] = [
    0x440154, 0x440256, 0x450457, 0x450559, 0x46075a, 0x46085c, 0x460a5d, 0x460b5e, 0x470d60, 0x470e61, 0x471063, 0x471164,
    0x471365, 0x481467, 0x481668, 0x481769, 0x48186a, 0x481a6c, 0x481b6d, 0x481c6e, 0x481d6f, 0x481f70, 0x482071, 0x482173,
    0x482374, 0x482475, 0x482576, 0x482677, 0x482878, 0x482979, 0x472a7a, 0x472c7a, 0x472d7b, 0x472e7c, 0x472f7d, 0x46307e,
    0x46327e, 0x46337f, 0x463480, 0x453581, 0x453781, 0x453882, 0x443983, 0x443a83, 0x443b84, 0x433d84, 0x433e85, 0x423f85,
    0x424086, 0x424186, 0x414287, 0x414487, 0x404588, 0x404688, 0x3f4788, 0x3f4889, 0x3e4989, 0x3e4a89, 0x3e4c8a, 0x3d4d8a,
    0x3d4e8a, 0x3c4f8a, 0x3c508b, 0x3b518b, 0x3b528b, 0x3a538b, 0x3a548c, 0x39558c, 0x39568c, 0x38588c, 0x38598c, 0x375a8c,
    0x375b8d, 0x365c8d, 0x365d8d, 0x355e8d, 0x355f8d, 0x34608d, 0x34618d, 0x33628d, 0x33638d, 0x32648e, 0x32658e, 0x31668e,
    0x31678e, 0x31688e, 0x30698e, 0x306a8e, 0x2f6b8e, 0x2f6c8e, 0x2e6d8e, 0x2e6e8e, 0x2e6f8e, 0x2d708e, 0x2d718e, 0x2c718e,
    0x2c728e, 0x2c738e, 0x2b748e, 0x2b758e, 0x2a768e, 0x2a778e, 0x2a788e, 0x29798e, 0x297a8e, 0x297b8e, 0x287c8e, 0x287d8e,
    0x277e8e, 0x277f8e, 0x27808e, 0x26818e, 0x26828e, 0x26828e, 0x25838e, 0x25848e, 0x25858e, 0x24868e, 0x24878e, 0x23888e,
    0x23898e, 0x238a8d, 0x228b8d, 0x228c8d, 0x228d8d, 0x218e8d, 0x218f8d, 0x21908d, 0x21918c, 0x20928c, 0x20928c, 0x20938c,
    0x1f948c, 0x1f958b, 0x1f968b, 0x1f978b, 0x1f988b, 0x1f998a, 0x1f9a8a, 0x1e9b8a, 0x1e9c89, 0x1e9d89, 0x1f9e89, 0x1f9f88,
    0x1fa088, 0x1fa188, 0x1fa187, 0x1fa287, 0x20a386, 0x20a486, 0x21a585, 0x21a685, 0x22a785, 0x22a884, 0x23a983, 0x24aa83,
    0x25ab82, 0x25ac82, 0x26ad81, 0x27ad81, 0x28ae80, 0x29af7f, 0x2ab07f, 0x2cb17e, 0x2db27d, 0x2eb37c, 0x2fb47c, 0x31b57b,
    0x32b67a, 0x34b679, 0x35b779, 0x37b878, 0x38b977, 0x3aba76, 0x3bbb75, 0x3dbc74, 0x3fbc73, 0x40bd72, 0x42be71, 0x44bf70,
    0x46c06f, 0x48c16e, 0x4ac16d, 0x4cc26c, 0x4ec36b, 0x50c46a, 0x52c569, 0x54c568, 0x56c667, 0x58c765, 0x5ac864, 0x5cc863,
    0x5ec962, 0x60ca60, 0x63cb5f, 0x65cb5e, 0x67cc5c, 0x69cd5b, 0x6ccd5a, 0x6ece58, 0x70cf57, 0x73d056, 0x75d054, 0x77d153,
    0x7ad151, 0x7cd250, 0x7fd34e, 0x81d34d, 0x84d44b, 0x86d549, 0x89d548, 0x8bd646, 0x8ed645, 0x90d743, 0x93d741, 0x95d840,
    0x98d83e, 0x9bd93c, 0x9dd93b, 0xa0da39, 0xa2da37, 0xa5db36, 0xa8db34, 0xaadc32, 0xaddc30, 0xb0dd2f, 0xb2dd2d, 0xb5de2b,
    0xb8de29, 0xbade28, 0xbddf26, 0xc0df25, 0xc2df23, 0xc5e021, 0xc8e020, 0xcae11f, 0xcde11d, 0xd0e11c, 0xd2e21b, 0xd5e21a,
    0xd8e219, 0xdae319, 0xdde318, 0xdfe318, 0xe2e418, 0xe5e419, 0xe7e419, 0xeae51a, 0xece51b, 0xefe51c, 0xf1e51d, 0xf4e61e,
    0xf6e620, 0xf8e621, 0xfbe723, 0xfde725,
];

/// Cividis (J. R. Nuñez, C. R. Anderton, R. S. Renslow, *PLoS ONE* 13 (2018) e0199239), from `_cividis_data` of the same file: looks the same
/// with and without red–green colour blindness.
pub(super) const CIVIDIS: [u32; 256] = [
    0x00224e, 0x00234f, 0x002451, 0x002553, 0x002554, 0x002656, 0x002758, 0x002859, 0x00285b, 0x00295d, 0x002a5f, 0x002a61,
    0x002b62, 0x002c64, 0x002c66, 0x002d68, 0x002e6a, 0x002e6c, 0x002f6d, 0x00306f, 0x003070, 0x003170, 0x003171, 0x013271,
    0x053371, 0x083370, 0x0c3470, 0x0f3570, 0x123570, 0x143670, 0x163770, 0x18376f, 0x1a386f, 0x1c396f, 0x1e3a6f, 0x203a6f,
    0x213b6e, 0x233c6e, 0x243c6e, 0x263d6e, 0x273e6e, 0x293f6e, 0x2a3f6d, 0x2b406d, 0x2d416d, 0x2e416d, 0x2f426d, 0x31436d,
    0x32436d, 0x33446d, 0x34456c, 0x35456c, 0x36466c, 0x38476c, 0x39486c, 0x3a486c, 0x3b496c, 0x3c4a6c, 0x3d4a6c, 0x3e4b6c,
    0x3f4c6c, 0x404c6c, 0x414d6c, 0x424e6c, 0x434e6c, 0x444f6c, 0x45506c, 0x46516c, 0x47516c, 0x48526c, 0x49536c, 0x4a536c,
    0x4b546c, 0x4c556c, 0x4d556c, 0x4e566c, 0x4f576c, 0x50576c, 0x51586d, 0x52596d, 0x535a6d, 0x545a6d, 0x555b6d, 0x555c6d,
    0x565c6d, 0x575d6d, 0x585e6d, 0x595e6e, 0x5a5f6e, 0x5b606e, 0x5c616e, 0x5d616e, 0x5e626e, 0x5e636f, 0x5f636f, 0x60646f,
    0x61656f, 0x62656f, 0x636670, 0x646770, 0x656870, 0x656870, 0x666970, 0x676a71, 0x686a71, 0x696b71, 0x6a6c71, 0x6b6d72,
    0x6c6d72, 0x6c6e72, 0x6d6f72, 0x6e6f73, 0x6f7073, 0x707173, 0x717274, 0x727274, 0x727374, 0x737475, 0x747475, 0x757575,
    0x767676, 0x777776, 0x777777, 0x787877, 0x797977, 0x7a7a78, 0x7b7a78, 0x7c7b78, 0x7d7c78, 0x7e7c78, 0x7e7d78, 0x7f7e78,
    0x807f78, 0x817f78, 0x828079, 0x838179, 0x848279, 0x858279, 0x868379, 0x878478, 0x888578, 0x898578, 0x8a8678, 0x8b8778,
    0x8c8878, 0x8d8878, 0x8e8978, 0x8f8a78, 0x908b78, 0x918b78, 0x928c78, 0x928d78, 0x938e78, 0x948e77, 0x958f77, 0x969077,
    0x979177, 0x989277, 0x999277, 0x9a9376, 0x9b9476, 0x9c9576, 0x9d9576, 0x9e9676, 0x9f9775, 0xa09875, 0xa19975, 0xa29975,
    0xa39a74, 0xa49b74, 0xa59c74, 0xa69c74, 0xa79d73, 0xa89e73, 0xa99f73, 0xaaa073, 0xaba072, 0xaca172, 0xada272, 0xaea371,
    0xafa471, 0xb0a571, 0xb1a570, 0xb3a670, 0xb4a76f, 0xb5a86f, 0xb6a96f, 0xb7a96e, 0xb8aa6e, 0xb9ab6d, 0xbaac6d, 0xbbad6d,
    0xbcae6c, 0xbdae6c, 0xbeaf6b, 0xbfb06b, 0xc0b16a, 0xc1b26a, 0xc2b369, 0xc3b369, 0xc4b468, 0xc5b568, 0xc6b667, 0xc7b767,
    0xc8b866, 0xc9b965, 0xcbb965, 0xccba64, 0xcdbb63, 0xcebc63, 0xcfbd62, 0xd0be62, 0xd1bf61, 0xd2c060, 0xd3c05f, 0xd4c15f,
    0xd5c25e, 0xd6c35d, 0xd7c45c, 0xd9c55c, 0xdac65b, 0xdbc75a, 0xdcc859, 0xddc858, 0xdec958, 0xdfca57, 0xe0cb56, 0xe1cc55,
    0xe2cd54, 0xe4ce53, 0xe5cf52, 0xe6d051, 0xe7d150, 0xe8d24f, 0xe9d34e, 0xead34c, 0xebd44b, 0xedd54a, 0xeed649, 0xefd748,
    0xf0d846, 0xf1d945, 0xf2da44, 0xf3db42, 0xf5dc41, 0xf6dd3f, 0xf7de3e, 0xf8df3c, 0xf9e03a, 0xfbe138, 0xfce236, 0xfde334,
    0xfee434, 0xfee535, 0xfee636, 0xfee838,
];

/// Turbo (A. Mikhailov, Google, 2019, Apache-2.0), from `_turbo_data` of the same file: a rainbow without false edges, for detail; lightest
/// in the middle.
pub(super) const TURBO: [u32; 256] = [
    0x30123b, 0x321543, 0x33184a, 0x341b51, 0x351e58, 0x36215f, 0x372466, 0x38276d, 0x392a73, 0x3a2d79, 0x3b2f80, 0x3c3286,
    0x3d358b, 0x3e3891, 0x3f3b97, 0x3f3e9c, 0x4040a2, 0x4143a7, 0x4146ac, 0x4249b1, 0x424bb5, 0x434eba, 0x4451bf, 0x4454c3,
    0x4456c7, 0x4559cb, 0x455ccf, 0x455ed3, 0x4661d6, 0x4664da, 0x4666dd, 0x4669e0, 0x466be3, 0x476ee6, 0x4771e9, 0x4773eb,
    0x4776ee, 0x4778f0, 0x477bf2, 0x467df4, 0x4680f6, 0x4682f8, 0x4685fa, 0x4687fb, 0x458afc, 0x458cfd, 0x448ffe, 0x4391fe,
    0x4294ff, 0x4196ff, 0x4099ff, 0x3e9bfe, 0x3d9efe, 0x3ba0fd, 0x3aa3fc, 0x38a5fb, 0x37a8fa, 0x35abf8, 0x33adf7, 0x31aff5,
    0x2fb2f4, 0x2eb4f2, 0x2cb7f0, 0x2ab9ee, 0x28bceb, 0x27bee9, 0x25c0e7, 0x23c3e4, 0x22c5e2, 0x20c7df, 0x1fc9dd, 0x1ecbda,
    0x1ccdd8, 0x1bd0d5, 0x1ad2d2, 0x1ad4d0, 0x19d5cd, 0x18d7ca, 0x18d9c8, 0x18dbc5, 0x18ddc2, 0x18dec0, 0x18e0bd, 0x19e2bb,
    0x19e3b9, 0x1ae4b6, 0x1ce6b4, 0x1de7b2, 0x1fe9af, 0x20eaac, 0x22ebaa, 0x25eca7, 0x27eea4, 0x2aefa1, 0x2cf09e, 0x2ff19b,
    0x32f298, 0x35f394, 0x38f491, 0x3cf58e, 0x3ff68a, 0x43f787, 0x46f884, 0x4af880, 0x4ef97d, 0x52fa7a, 0x55fa76, 0x59fb73,
    0x5dfc6f, 0x61fc6c, 0x65fd69, 0x69fd66, 0x6dfe62, 0x71fe5f, 0x75fe5c, 0x79fe59, 0x7dff56, 0x80ff53, 0x84ff51, 0x88ff4e,
    0x8bff4b, 0x8fff49, 0x92ff47, 0x96fe44, 0x99fe42, 0x9cfe40, 0x9ffd3f, 0xa1fd3d, 0xa4fc3c, 0xa7fc3a, 0xa9fb39, 0xacfb38,
    0xaffa37, 0xb1f936, 0xb4f836, 0xb7f735, 0xb9f635, 0xbcf534, 0xbef434, 0xc1f334, 0xc3f134, 0xc6f034, 0xc8ef34, 0xcbed34,
    0xcdec34, 0xd0ea34, 0xd2e935, 0xd4e735, 0xd7e535, 0xd9e436, 0xdbe236, 0xdde037, 0xdfdf37, 0xe1dd37, 0xe3db38, 0xe5d938,
    0xe7d739, 0xe9d539, 0xebd339, 0xecd13a, 0xeecf3a, 0xefcd3a, 0xf1cb3a, 0xf2c93a, 0xf4c73a, 0xf5c53a, 0xf6c33a, 0xf7c13a,
    0xf8be39, 0xf9bc39, 0xfaba39, 0xfbb838, 0xfbb637, 0xfcb336, 0xfcb136, 0xfdae35, 0xfdac34, 0xfea933, 0xfea732, 0xfea431,
    0xfea130, 0xfe9e2f, 0xfe9b2d, 0xfe992c, 0xfe962b, 0xfe932a, 0xfe9029, 0xfd8d27, 0xfd8a26, 0xfc8725, 0xfc8423, 0xfb8122,
    0xfb7e21, 0xfa7b1f, 0xf9781e, 0xf9751d, 0xf8721c, 0xf76f1a, 0xf66c19, 0xf56918, 0xf46617, 0xf36315, 0xf26014, 0xf15d13,
    0xf05b12, 0xef5811, 0xed5510, 0xec530f, 0xeb500e, 0xea4e0d, 0xe84b0c, 0xe7490c, 0xe5470b, 0xe4450a, 0xe2430a, 0xe14109,
    0xdf3f08, 0xdd3d08, 0xdc3b07, 0xda3907, 0xd83706, 0xd63506, 0xd43305, 0xd23105, 0xd02f05, 0xce2d04, 0xcc2b04, 0xca2a04,
    0xc82803, 0xc52603, 0xc32503, 0xc12302, 0xbe2102, 0xbc2002, 0xb91e02, 0xb71d02, 0xb41b01, 0xb21a01, 0xaf1801, 0xac1701,
    0xa91601, 0xa71401, 0xa41301, 0xa11201, 0x9e1001, 0x9b0f01, 0x980e01, 0x950d01, 0x920b01, 0x8e0a01, 0x8b0902, 0x880802,
    0x850702, 0x810602, 0x7e0502, 0x7a0403,
];

/// Cool to warm (K. Moreland, Diverging color maps for scientific visualization, *ISVC* (2009)), the table with 33 colours that the paper
/// comes with, from `_coolwarm_data` in `_cm.py` of matplotlib: two hues that meet in a light grey, with ends that are equally dark.
pub(super) const COOL_WARM: [u32; 33] = [
    0x3b4cc0, 0x445acc, 0x4d68d7, 0x5775e1, 0x6282ea, 0x6c8ef1, 0x779af7, 0x82a5fb, 0x8db0fe, 0x98b9ff, 0xa3c2ff, 0xaec9fd,
    0xb8d0f9, 0xc2d5f4, 0xccd9ee, 0xd5dbe6, 0xdddddd, 0xe5d8d1, 0xecd3c5, 0xf1ccb9, 0xf5c4ad, 0xf7bba0, 0xf7b194, 0xf7a687,
    0xf49a7b, 0xf18d6f, 0xec7f63, 0xe57058, 0xde604d, 0xd55042, 0xcb3e38, 0xc0282f, 0xb40426,
];

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::{Fluid, MAX_FLUIDS};

    /// CIE lightness L*, 0 to 100, independent of OKLab.
    fn lightness(color: [u8; 3]) -> f32 {
        let linear = color.map(|value| {
            let value = f32::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn sequential_maps_grow_evenly_lighter() {
        let maps = [ColorMap::Water, ColorMap::WaterOnLight, ColorMap::Ember, ColorMap::Viridis, ColorMap::Cividis];
        for map in maps {
            let mut table: [_; 33] = map.table();
            if map == ColorMap::WaterOnLight {
                table.reverse();
            }
            let steps: Vec<f32> = table.windows(2).map(|pair| lightness(pair[1]) - lightness(pair[0])).collect();
            let mean = steps.iter().sum::<f32>() / steps.len() as f32;
            assert!(steps.iter().all(|&step| step > 0.4 * mean && step < 1.8 * mean), "{map:?}: {steps:?}");
        }
    }

    #[test]
    fn diverging_map_is_lightest_and_neutral_in_the_middle() {
        let table: [_; 33] = ColorMap::Diverging.table();
        let lightest = (0..33).max_by(|&a, &b| lightness(table[a]).total_cmp(&lightness(table[b]))).unwrap();
        assert_eq!(lightest, 16);
        let [red, green, blue] = table[16].map(i32::from);
        assert!((red - green).abs() < 12 && (green - blue).abs() < 12);
        assert!((lightness(table[0]) - lightness(table[32])).abs() < 6.0);
    }

    #[test]
    fn maps_stand_out_from_a_dark_backdrop_and_accept_any_number() {
        for map in ColorMap::ALL {
            let is_own = matches!(map, ColorMap::Water | ColorMap::Ember);
            assert!(!is_own || lightness(map.sample(0.0)) > 22.0, "{map:?}");
            assert_eq!(map.sample(-3.0), map.sample(0.0));
            assert_eq!(map.sample(f32::INFINITY), map.sample(1.0));
            assert_eq!(map.sample(f32::NAN), NAN_COLOR);
        }
    }

    /// White paper has a lightness of 100.
    #[test]
    fn the_map_for_a_light_backdrop_stands_out_from_it() {
        let table: [_; 33] = ColorMap::WaterOnLight.table();
        assert!(table.iter().all(|&color| lightness(color) < 68.0), "{table:?}");
    }

    /// First, middle and last entry of the tables.
    #[test]
    fn published_maps_have_the_published_colors() {
        let check = |map: ColorMap, middle: f32, expected: [u32; 3]| {
            let found = [0.0, middle, 1.0].map(|t| {
                let [red, green, blue] = map.sample(t);
                u32::from_be_bytes([0, red, green, blue])
            });
            assert_eq!(found, expected, "{map:?}: {found:06x?}");
        };
        let middle = 128.0 / 255.0;
        check(ColorMap::Viridis, middle, [0x440154, 0x21918c, 0xfde725]);
        check(ColorMap::Cividis, middle, [0x00224e, 0x7d7c78, 0xfee838]);
        check(ColorMap::Turbo, middle, [0x30123b, 0xa4fc3c, 0x7a0403]);
        check(ColorMap::Diverging, 0.5, [0x3b4cc0, 0xdddddd, 0xb40426]);
    }

    #[test]
    fn lightness_of_viridis_and_cividis_rises_from_entry_to_entry() {
        for map in [ColorMap::Viridis, ColorMap::Cividis] {
            let table: [_; 256] = map.table();
            // Rounding to 8 bits takes up to 0.2.
            let falls = table.windows(2).find(|pair| lightness(pair[1]) < lightness(pair[0]) - 0.2);
            assert_eq!(falls, None, "{map:?}");
            assert!(table.windows(9).all(|part| lightness(part[8]) > lightness(part[0])), "{map:?}");
        }
    }

    #[test]
    fn every_category_has_its_color_in_a_table() {
        let table: [_; 256] = ColorMap::Categories.table();
        for number in 0..CATEGORIES {
            assert_eq!(table[(255 / (CATEGORIES - 1) * number) as usize], category(number));
        }
    }

    /// Texels of the renderer's table at the places of whole numbers have the colours of these numbers.
    #[test]
    fn a_table_has_every_color_at_its_place() {
        let fluids: Vec<Fluid> =
            (0..MAX_FLUIDS as u8).map(|number| Fluid { color: Some([number, 0, 0]), ..Fluid::new("", 1.0) }).collect();
        for count in 2..=MAX_FLUIDS {
            let table: [_; 256] = ColorMap::Swatches(Swatches::of(&fluids[..count])).table();
            for number in 0..count {
                let place = 255.0 * number as f32 / (count - 1) as f32;
                for texel in [place.floor(), place.ceil()] {
                    assert_eq!(table[texel as usize], [number as u8, 0, 0], "{number} of {count}");
                }
            }
        }
    }

    #[test]
    fn oklab_of_known_colors() {
        assert_eq!(srgb([1.0, 0.0, 0.0]), [255, 255, 255]);
        assert_eq!(srgb([0.0, 0.0, 0.0]), [0, 0, 0]);
        // Pure red is (0.6280, 0.2249, 0.1258).
        assert_eq!(srgb([0.627_96, 0.224_86, 0.125_85]), [255, 0, 0]);
    }
}
