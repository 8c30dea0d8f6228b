//! The pressure solver and its parameters, which are in `Configuration` itself or in a table with the method's name.

use super::report::Report;
use super::table::Table;
use super::writing::{Section, number};

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
                report.remark(&table.path, format!("simulationMethod: {name} has no equivalent; DFSPH takes its place"));
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
                    format!("exponent {exponent}: Tait's equation here has 7, with the same speed of sound"),
                );
            }
            section.set("equation_of_state", format!("\"{equation}\""));
            // p = B ((ρ/ρ₀)^γ − 1) has c² = γ B/ρ₀.
            let speed = (stiffness * exponent / rest_density).sqrt();
            if speed >= 0.001 {
                sound_speed = Some(speed.min(1e5));
            } else {
                report.remark(&table.path, "stiffness: too small for a speed of sound; the usual one is taken");
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
