//! `Configuration`: discretisation, gravity, time step, pressure solver, and view.

use super::table::{Known, Report, Section, Table, number, numbers};

/// Keys of `Configuration` without an equivalent.
const WITHOUT: Known<'_> = &[
    (
        "display only",
        &["pause", "pauseAt", "numberOfStepsPerRenderUpdate", "renderWalls", "renderMaxVelocity", "renderAngularVelocity"],
    ),
    (
        "use the output options of `sph run`",
        &[
            "enablePartioExport",
            "enableVTKExport",
            "enableRigidBodyExport",
            "enableRigidBodyVTKExport",
            "dataExportFPS",
            "partioFPS",
            "particleAttributes",
            "enableStateExport",
            "stateExportFPS",
            "enableObjectSplitting",
        ],
    ),
    ("particles are always sorted", &["enableZSort", "zSortRadius", "stepsPerZSort"]),
    (
        "settings of methods that are not used",
        &[
            "stiffness",
            "exponent",
            "velocityUpdateMethod",
            "enableDivergenceSolver",
            "minIterations",
            "maxIterations",
            "maxError",
            "minIterationsV",
            "maxIterationsV",
            "maxErrorV",
        ],
    ),
    ("the first step follows from the limits", &["timeStepSize"]),
    ("the step is not adaptive", &["cflFactor", "cflMinTimeStepSize", "cflMaxTimeStepSize"]),
    ("belongs to a material; not used", super::materials::KEYS),
];

/// Values of `Configuration` that the other tables need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    /// Number of dimensions.
    pub dimensions: usize,
    /// Distance between particles, m.
    pub spacing: f64,
}

impl Space {
    pub fn read(table: &Table<'_>, report: &mut Report) -> Self {
        let radius = match (table.number("particleRadius", report), table.get("particleRadius")) {
            (Some(radius), Some(node)) if radius <= 0.0 => {
                report.fault(node, "`particleRadius` must be above 0".to_owned(), "expected a length above 0 (m)");
                0.025
            }
            (radius, _) => radius.unwrap_or(0.025),
        };
        let planar = table.flag("sim2D", report).unwrap_or(false);
        Self { dimensions: if planar { 2 } else { 3 }, spacing: 2.0 * radius }
    }

    /// The coordinates that count, as TOML.
    pub fn vector(self, vector: [f64; 3]) -> String {
        numbers(&vector[..self.dimensions])
    }
}

/// Keys above the first table.
pub(super) fn top(table: &Table<'_>, space: Space, title: &str, report: &mut Report) -> String {
    let mut section = Section::default();
    section.set("format", "1");
    section.set("title", super::table::text(title));
    if space.dimensions == 2 {
        section.set_because("dimensions", "2", "The plane z = 0; z is dropped everywhere.");
    }
    section.set("gravity", space.vector(table.vector("gravitation", report).unwrap_or([0.0, -9.81, 0.0])));
    section.text().to_owned()
}

/// `[particles]`, but for what follows from bodies and emitters.
pub(super) fn particles(table: &Table<'_>, space: Space, report: &mut Report) -> Section {
    let mut section = Section::new("[particles]");
    section.set_because("spacing", number(space.spacing), "Twice particleRadius.");
    let kernel = |number: Option<f64>| match number.unwrap_or(0.0) as i64 {
        1 => "wendland_c2",
        2 => "poly6",
        3 => "spiky",
        _ => "cubic_spline",
    };
    let own = table.number("kernel", report);
    let gradient = table.number("gradKernel", report);
    if kernel(own) != "cubic_spline" {
        section.set("kernel", format!("\"{}\"", kernel(own)));
        section.set("support_radius", "2.0");
    }
    if own.or(gradient).is_some() && kernel(own) != kernel(gradient) {
        report.remark(&table.path, format!("gradKernel: gradients are those of the kernel, {}", kernel(own)));
    }
    section
}

/// `[time_step]`, for a solver that has `sound` or none.
pub(super) fn time_step(table: &Table<'_>, sound: bool, report: &mut Report) -> Section {
    let mut section = Section::new("[time_step]");
    let method = table.number("cflMethod", report).unwrap_or(1.0) as i64;
    let positive = |value: Option<f64>, most: f64| value.filter(|&value| value > 0.0).map(|value| value.clamp(1e-9, most));
    if method == 0 {
        let step = positive(table.number("timeStepSize", report), 1.0).unwrap_or(0.001);
        section.set_because("fixed_dt", number(step), "timeStepSize, as cflMethod is 0.");
        return section;
    }
    if method == 2 {
        report.remark(&table.path, "cflMethod 2: the step does not follow the iterations; as method 1");
    }
    let factor = positive(table.number("cflFactor", report), 1e6).unwrap_or(0.5);
    // Their limit is 0.4 cflFactor·d/v; those here are ½ cfl_factor·d/v without sound, and with it cfl_factor·h/c.
    let (ratio, most, comment) = if sound {
        (0.4, 1.0, "0.4 times cflFactor, for the sound limit.")
    } else {
        (0.8, 1.5, "0.8 times cflFactor, which gives the same limit.")
    };
    if ratio * factor > most {
        report.remark(&table.path, "cflFactor: reduced; particles would pass each other within a step");
    }
    section.set_because("cfl_factor", number((ratio * factor).clamp(1e-6, most)), comment);
    let most = positive(table.number("cflMaxTimeStepSize", report), 1.0).unwrap_or(0.005);
    section.set("max_dt", number(most));
    if let Some(least) = positive(table.number("cflMinTimeStepSize", report), most) {
        section.set("min_dt", number(least));
    }
    section
}

/// `[run]` and `[view]`.
pub(super) fn run_and_view(table: &Table<'_>, report: &mut Report) -> String {
    let mut text = String::new();
    if let Some(end) = table.number("stopAt", report).filter(|&end| end > 0.0) {
        let mut section = Section::new("[run]");
        section.set_because("duration", number(end), "stopAt");
        text += section.text();
    }
    let (eye, target) = (table.vector("cameraPosition", report), table.vector("cameraLookat", report));
    if eye.is_some() || target.is_some() {
        let (eye, target) = (eye.unwrap_or([0.0, 3.0, 8.0]), target.unwrap_or([0.0; 3]));
        if eye.map(|at| at as f32) == target.map(|at| at as f32) {
            report.remark(&table.path, "cameraLookat: the camera is at the point that it looks at");
        } else {
            let mut section = Section::new("[view]");
            section.set("eye", numbers(&eye));
            section.set("target", numbers(&target));
            text += section.text();
        }
    }
    text
}

/// Lists what is left of `Configuration`.
pub(super) fn rest(table: &Table<'_>, report: &mut Report) {
    table.report_rest(WITHOUT, report);
}

// The pressure solver and its parameters, which are in `Configuration` itself or in a table with the method's name.

/// Pressure solvers that have an equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solver {
    Wcsph,
    Pcisph,
    Pbf,
    Iisph,
    Dfsph,
}

impl Solver {
    /// The solver of `simulationMethod`, by number or name.
    pub fn read(table: &Table<'_>, report: &mut Report) -> Self {
        let method = table.method("simulationMethod", report).unwrap_or_else(|| "4".to_owned());
        match method.as_str() {
            "0" | "wcsph" => Self::Wcsph,
            "1" | "pcisph" => Self::Pcisph,
            "2" | "pbf" => Self::Pbf,
            "3" | "iisph" => Self::Iisph,
            "4" | "dfsph" => Self::Dfsph,
            other => {
                let name = match other {
                    "5" => "projective fluids (5)",
                    "6" => "implicit compressible SPH (6)",
                    other => other,
                };
                report.remark(&table.path, format!("simulationMethod: {name} has no equivalent; replaced by DFSPH"));
                Self::Dfsph
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Wcsph => "wcsph",
            Self::Pcisph => "pcisph",
            Self::Pbf => "pbf",
            Self::Iisph => "iisph",
            Self::Dfsph => "dfsph",
        }
    }

    /// `[solver]` and the solver's own table; and of WCSPH the speed of sound for a rest density, kg/m³.
    pub fn write(self, table: &Table<'_>, rest_density: f64, report: &mut Report) -> (String, Option<f64>) {
        let mut solver = Section::new("[solver]");
        solver.set("method", format!("\"{}\"", self.name()));
        let own = table.namespace(|name| name == self.name(), report);
        let layer = |key: &str| own.as_ref().filter(|own| own.has(key)).unwrap_or(table);
        let value = |key: &str, usual: f64, report: &mut Report| layer(key).number(key, report).unwrap_or(usual);
        let mut section = Section::new(&format!("[solver.{}]", self.name()));
        let mut sound_speed = None;
        if self == Self::Wcsph {
            let (stiffness, exponent) = (value("stiffness", 50_000.0, report), value("exponent", 7.0, report));
            let equation = if exponent == 1.0 { "linear" } else { "tait" };
            if exponent != 1.0 && exponent != 7.0 {
                report.remark(
                    &table.path,
                    format!("exponent {exponent}: Tait's equation uses 7 here, with the same speed of sound"),
                );
            }
            section.set("equation_of_state", format!("\"{equation}\""));
            // p = B ((ρ/ρ₀)^γ − 1) has c² = γ B/ρ₀.
            let speed = (stiffness * exponent / rest_density).sqrt();
            if speed >= 0.001 {
                sound_speed = Some(speed.min(1e5));
            } else {
                report.remark(&table.path, "stiffness: too small for a speed of sound; the default is used");
            }
        } else {
            let most = value("maxIterations", 100.0, report).clamp(1.0, 1000.0).round();
            let least = layer("minIterations").number("minIterations", report);
            let tolerance = value("maxError", 0.01, report) / 100.0;
            section.set_because("tolerance", number(tolerance.clamp(1e-6, 0.1)), "maxError, there in percent.");
            if let Some(least) = least {
                section.set("min_iterations", least.clamp(1.0, most).round().to_string());
            }
            section.set("max_iterations", most.to_string());
        }
        if self == Self::Dfsph {
            if layer("enableDivergenceSolver").flag("enableDivergenceSolver", report) == Some(false) {
                report.remark(&table.path, "enableDivergenceSolver: the divergence solver is always on");
            }
            let tolerance = value("maxErrorV", 0.1, report) / 100.0;
            let most = value("maxIterationsV", 100.0, report).clamp(1.0, 1000.0).round();
            section.set_because("divergence_tolerance", number(tolerance.clamp(1e-6, 0.1)), "maxErrorV, there in percent.");
            section.set("max_divergence_iterations", most.to_string());
        }
        if let Some(own) = &own {
            own.report_rest(&[("no equivalent", &["velocityUpdateMethod"])], report);
        }
        (format!("{}{}", solver.text(), section.text()), sound_speed)
    }
}
