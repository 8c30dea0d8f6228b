//! `Materials`: the constants of the fluids.

use super::table::{Known, Table};
use super::table::{Report, Section, number, text};

/// Id of the fluid of whatever names none.
pub(super) const USUAL: &str = "Fluid";

/// Keys of materials, which older files have in `Configuration`.
pub(super) const KEYS: &[&str] = &[
    "density0",
    "viscosity",
    "viscosityMethod",
    "viscoMaxIter",
    "viscoMaxError",
    "surfaceTension",
    "surfaceTensionMethod",
    "vorticityMethod",
    "vorticity",
    "viscosityOmega",
    "inertiaInverse",
    "maxEmitterParticles",
    "emitterReuseParticles",
    "emitterBoxMin",
    "emitterBoxMax",
];

/// Keys of a material without an equivalent.
const WITHOUT: Known<'_> = &[
    ("display only", &["colorField", "colorMapType", "renderMinValue", "renderMaxValue"]),
    (
        "settings of methods that are not used",
        &[
            "viscosity",
            "viscoMaxIter",
            "viscoMaxError",
            "viscoMaxIterOmega",
            "viscoMaxErrorOmega",
            "viscosityBoundary",
            "vorticity",
            "viscosityOmega",
            "inertiaInverse",
            "drag",
            "surfaceTension",
            "surfaceTensionBoundary",
            "youngsModulus",
            "poissonsRatio",
            "alpha",
            "elasticityMaxIter",
            "elasticityMaxError",
        ],
    ),
    ("it has no emitters", &["maxEmitterParticles", "emitterReuseParticles"]),
    ("particles do not return to the emitter", &["emitterBoxMin", "emitterBoxMax"]),
];

/// A fluid, by the id that blocks and emitters name.
#[derive(Debug)]
pub(super) struct Material {
    pub id: String,
    pub rest_density: f64,
    /// Kinematic viscosity, m²/s.
    viscosity: f64,
    implicit: bool,
    /// Tolerance and maximum number of iterations of implicit viscosity.
    effort: (Option<f64>, Option<f64>),
    /// Micropolar: transfer coefficient, smoothing and inverse inertia.
    micropolar: Option<[f64; 3]>,
    /// Largest number of particles of its emitters.
    pub emitted: f64,
}

/// The tables in which a material's values are: its own, and in older files `Configuration`.
struct Layers<'t, 'a>(&'t [&'t Table<'a>]);

impl<'t, 'a> Layers<'t, 'a> {
    fn of(&self, key: &str) -> &'t Table<'a> {
        self.0.iter().find(|table| table.has(key)).unwrap_or(&self.0[0])
    }

    fn number(&self, key: &str, report: &mut Report) -> Option<f64> {
        self.of(key).number(key, report)
    }

    fn method(&self, key: &str, report: &mut Report) -> Option<String> {
        self.of(key).method(key, report)
    }

    /// A parameter of a method, in the table that `fits` it or beside the method.
    fn of_method(&self, key: &str, own: Option<&Table<'a>>, report: &mut Report) -> Option<f64> {
        own.filter(|own| own.has(key)).unwrap_or_else(|| self.of(key)).number(key, report)
    }
}

impl Material {
    /// The material of `own`, whose missing values are those of `older`.
    pub fn read(id: &str, own: &Table<'_>, older: &Table<'_>, emits: bool, report: &mut Report) -> Self {
        let tables = [own, older];
        let layers = Layers(&tables);
        own.get("id");
        let density = layers.number("density0", report).unwrap_or(1000.0);
        if !(1e-6..=1e6).contains(&density)
            && let Some(node) = layers.of("density0").get("density0")
        {
            report.fault(node, format!("`density0` of `{id}` is out of range"), "expected a density from 1e-6 to 1e6 (kg/m³)");
        }
        let method = layers.method("viscosityMethod", report).unwrap_or_else(|| "1".to_owned());
        let implicit = ["takahashi", "weiler", "6", "7"].iter().any(|word| method.contains(word) && !method.contains("peer"));
        let standard = method == "1" || method.starts_with("standard");
        // The numbers of methods from 2 on depend on the version; the table of a method's own parameters does not.
        let words: &[&str] = if standard { &["standard"] } else { &["takahashi", "weiler"] };
        let space = own.namespace(|name| words.iter().any(|word| name.contains(word)), report);
        let implicit = implicit || (!standard && space.is_some());
        let mut effort = (None, None);
        let viscosity = if standard || implicit {
            if implicit {
                effort = (
                    layers.of_method("viscoMaxError", space.as_ref(), report),
                    layers.of_method("viscoMaxIter", space.as_ref(), report),
                );
            }
            layers.of_method("viscosity", space.as_ref(), report).unwrap_or(0.01)
        } else {
            if method != "0" && method != "none" {
                let advice = "has no equivalent, and its coefficient is not a viscosity; set `kinematic_viscosity`";
                report.remark(&own.path, format!("viscosityMethod {method}: {advice}"));
            }
            0.0
        };
        if let Some(space) = &space {
            space.report_rest(&[("no equivalent", &["viscosityBoundary", "viscoMaxIter", "viscoMaxError"])], report);
        }
        let micropolar = Self::micropolar(own, &layers, report);
        for (key, what) in [
            ("surfaceTensionMethod", "set `surface_tension` in N/m"),
            ("dragMethod", "there is no air drag"),
            ("elasticityMethod", "there is no elasticity"),
        ] {
            let method = layers.method(key, report).unwrap_or_else(|| "0".to_owned());
            if method != "0" && method != "none" {
                report.remark(&own.path, format!("{key} {method}: no equivalent; {what}"));
            }
        }
        let mut emitted = 10_000.0;
        if emits {
            emitted = layers.number("maxEmitterParticles", report).unwrap_or(emitted).clamp(0.0, 2e7);
            let reuses = layers.of("emitterReuseParticles").flag("emitterReuseParticles", report).unwrap_or(false);
            if reuses {
                let advice = "particles do not return to the emitter; add `[[drains]]` where they leave";
                report.remark(&own.path, format!("emitterReuseParticles: {advice}"));
            }
        }
        if !std::ptr::eq(own, older) {
            own.report_rest(WITHOUT, report);
        }
        Self {
            id: id.to_owned(),
            rest_density: density,
            viscosity: viscosity.clamp(0.0, 1e6),
            implicit,
            effort,
            micropolar,
            emitted,
        }
    }

    fn micropolar(own: &Table<'_>, layers: &Layers<'_, '_>, report: &mut Report) -> Option<[f64; 3]> {
        let method = layers.method("vorticityMethod", report).unwrap_or_else(|| "0".to_owned());
        match method.as_str() {
            "0" | "none" => None,
            method if method == "1" || method.starts_with("micropolar") => {
                let space = own.namespace(|name| name.contains("micropolar"), report);
                let value = |key: &str, report: &mut Report| layers.of_method(key, space.as_ref(), report);
                let transfer = value("vorticity", report).unwrap_or(0.01);
                let smoothing = value("viscosityOmega", report).unwrap_or(0.1);
                let inverse = value("inertiaInverse", report).unwrap_or(0.5);
                if let Some(space) = &space {
                    space.report_rest(&[], report);
                }
                Some([transfer.clamp(0.0, 100.0), smoothing.clamp(0.0, 1.0), inverse.clamp(1e-6, 1e9)])
            }
            other => {
                report.remark(&own.path, format!("vorticityMethod {other}: no equivalent; eddies are not amplified"));
                None
            }
        }
    }
}

/// `[fluid]`, and `[[fluids]]` if there are several.
pub(super) fn write(materials: &[Material], sound_speed: Option<f64>, report: &mut Report) -> String {
    let mut fluid = Section::new("[fluid]");
    let Some(first) = materials.first() else { return fluid.text().to_owned() };
    if let [only] = materials {
        fluid.set("rest_density", number(only.rest_density));
        fluid.set("kinematic_viscosity", number(only.viscosity));
    }
    if let Some(speed) = sound_speed {
        fluid.set_because("sound_speed", number(speed), "From stiffness and exponent.");
    }
    let implicit = materials.iter().find(|material| material.implicit);
    fluid.set("viscosity_model", if implicit.is_some() { "\"implicit\"" } else { "\"central\"" });
    if let Some((tolerance, iterations)) = implicit.map(|material| material.effort) {
        fluid.set("viscosity_tolerance", number(tolerance.unwrap_or(0.01).clamp(1e-6, 0.1)));
        fluid.set("max_viscosity_iterations", iterations.unwrap_or(100.0).clamp(1.0, 1000.0).round().to_string());
    }
    fluid.set_because("artificial_viscosity", "0.0", "There is none in SPlisHSPlasH.");
    if let Some([transfer, smoothing, inverse]) = first.micropolar {
        fluid.set("vorticity_transfer", number(transfer));
        fluid.set("vorticity_smoothing", number(smoothing));
        fluid.set_because("micro_inertia", number(1.0 / inverse), "1/inertiaInverse");
    }
    if materials.iter().any(|material| material.micropolar != first.micropolar) {
        report.remark("Materials", format!("vorticityMethod: all fluids have that of `{}`", first.id));
    }
    let mut lines = fluid.text().to_owned();
    if materials.len() > 1 {
        for material in materials {
            let mut section = Section::new("[[fluids]]");
            section.set("name", text(&material.id));
            section.set("rest_density", number(material.rest_density));
            section.set("kinematic_viscosity", number(material.viscosity));
            lines += section.text();
        }
    }
    lines
}
