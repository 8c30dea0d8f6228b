//! The scene's `[solver]` as the simulation has it.

use super::format::{DfsphTable, IterationsTable, SolverTable, WcsphTable};
use super::names::{
    DensityDiffusionName, IntegrationName, MethodName, NegativePressureName, StateEquationName, WallPressureName,
};
use sph_core::{
    DensityDiffusion, Integration, Iterations, Method, NegativePressure, SolverParameters, StateEquation, WallPressure,
    WcsphParameters,
};

/// What the file does not say has the method's usual value.
pub(crate) fn solver(table: &SolverTable) -> SolverParameters {
    let usual = SolverParameters::default();
    let DfsphTable {
        tolerance,
        min_iterations,
        max_iterations,
        divergence_tolerance,
        min_divergence_iterations,
        max_divergence_iterations,
    } = table.dfsph;
    SolverParameters {
        method: match table.method {
            MethodName::Wcsph => Method::Wcsph,
            MethodName::Pcisph => Method::Pcisph,
            MethodName::Iisph => Method::Iisph,
            MethodName::Dfsph => Method::Dfsph,
            MethodName::Pbf => Method::Pbf,
        },
        walls: match table.walls {
            WallPressureName::Extrapolated => WallPressure::Extrapolated,
            WallPressureName::Mls => WallPressure::Mls,
            WallPressureName::OneSided => WallPressure::OneSided,
        },
        wcsph: wcsph(&table.wcsph),
        pcisph: of_table(usual.pcisph, &table.pcisph),
        iisph: of_table(usual.iisph, &table.iisph),
        dfsph: iterations(usual.dfsph, tolerance, min_iterations, max_iterations),
        dfsph_divergence: iterations(
            usual.dfsph_divergence,
            divergence_tolerance,
            min_divergence_iterations,
            max_divergence_iterations,
        ),
        pbf: of_table(usual.pbf, &table.pbf),
        shifting: table.shifting as f32,
    }
}

fn wcsph(table: &WcsphTable) -> WcsphParameters {
    WcsphParameters {
        equation_of_state: match table.equation_of_state {
            StateEquationName::Tait => StateEquation::Tait,
            StateEquationName::Linear => StateEquation::Linear,
        },
        diffusion: match table.diffusion {
            DensityDiffusionName::Molteni => DensityDiffusion::Molteni,
            DensityDiffusionName::Fourtakas => DensityDiffusion::Fourtakas,
            DensityDiffusionName::Antuono => DensityDiffusion::Antuono,
        },
        integration: match table.integration {
            IntegrationName::SymplecticEuler => Integration::SymplecticEuler,
            IntegrationName::PredictorCorrector => Integration::PredictorCorrector,
        },
        negative_pressure: match table.negative_pressure {
            NegativePressureName::None => NegativePressure::None,
            NegativePressureName::TensileControl => NegativePressure::TensileControl,
        },
        background_pressure: table.background_pressure as f32,
    }
}

fn of_table(usual: Iterations, table: &IterationsTable) -> Iterations {
    iterations(usual, table.tolerance, table.min_iterations, table.max_iterations)
}

/// A bound that is given moves the other one along where that one is not.
fn iterations(usual: Iterations, tolerance: Option<f64>, minimum: Option<u32>, maximum: Option<u32>) -> Iterations {
    let least = minimum.unwrap_or_else(|| usual.minimum.min(maximum.unwrap_or(u32::MAX)));
    Iterations {
        tolerance: tolerance.map_or(usual.tolerance, |tolerance| tolerance as f32),
        minimum: least,
        maximum: maximum.unwrap_or_else(|| usual.maximum.max(least)),
    }
}
