//! Every solver with every model of walls: still water, a standing wave, and a dam break, at coarse resolutions.

use super::{dam_breaks, still_water, waves};
use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::curves::{highest, mean, within};
use crate::runs::RunRecord;
use sph_core::{Method, Setup, WallPressure, WallSampling};

const SOLVERS: [Setting; 5] = [
    Setting { label: "WCSPH", set: &["solver.method=wcsph"] },
    Setting { label: "DFSPH", set: &["solver.method=dfsph"] },
    Setting { label: "IISPH", set: &["solver.method=iisph"] },
    Setting { label: "PCISPH", set: &["solver.method=pcisph"] },
    Setting { label: "PBF", set: &["solver.method=pbf"] },
];

const WALLS: [Setting; 5] = [
    Setting { label: "extrapolated", set: &["solver.walls=extrapolated"] },
    Setting { label: "mls", set: &["solver.walls=mls"] },
    Setting { label: "one_sided", set: &["solver.walls=one_sided"] },
    Setting {
        label: "single_layer",
        set: &["particles.walls=single_layer", "particles.kernel=cubic_spline", "particles.support_radius=2.0"],
    },
    Setting { label: "analytic", set: &["particles.walls=analytic"] },
];

/// The solvers for the standing wave: those that iterate with their usual support radius.
const SOLVERS_OF_WAVES: [Setting; 5] = [
    Setting { label: "WCSPH, 4 spacings", set: &["solver.method=wcsph"] },
    Setting { label: "DFSPH, 3 spacings", set: &["solver.method=dfsph", "particles.support_radius=3.0"] },
    Setting { label: "IISPH, 3 spacings", set: &["solver.method=iisph", "particles.support_radius=3.0"] },
    Setting { label: "PCISPH, 3 spacings", set: &["solver.method=pcisph", "particles.support_radius=3.0"] },
    Setting { label: "PBF, 3 spacings", set: &["solver.method=pbf", "particles.support_radius=3.0"] },
];

/// Every solver of `rows` with every wall, with these overrides besides.
const fn matrix(rows: &'static [Setting], common: &'static [&'static str]) -> Plan {
    Plan::Matrix { corner: "Solver", common, rows, columns: &WALLS }
}

pub const STILL_WATER: Case = Case {
    name: "solvers_still_water",
    title: "Solvers and walls: still water for 20 s",
    about: "Water rests in a tank 1 m wide, 0.5 m = H and 20 rows deep, for 20 s: every solver with every model of the walls' pressure \
            (`solver.walls`) on layers of wall particles, and with the other discretisations of walls (`particles.walls`), `single_layer` \
            with the cubic spline at 2 spacings. The measures are of the last 10 s. The walls of the first \
            column, the default, must carry the water by pressure alone: particles that come too close are held by a clamp, \
            and counted.",
    remarks: "",
    scene: scene!("still_water"),
    interval: 0.02,
    plan: matrix(&SOLVERS, &["particles.spacing=0.025", "run.duration=20"]),
    measure: measure_still_water,
    draw: |_| Vec::new(),
};

pub const STANDING_WAVE: Case = Case {
    name: "solvers_standing_wave",
    title: "Solvers and walls: standing wave",
    about: "The standing wave above at H/25, with every solver and every wall. All but PBF are judged.",
    remarks: "The solvers that iterate have a narrower support than WCSPH: with a wide one the waves of DFSPH and IISPH lose their energy too fast, as the case above shows.",
    scene: scene!("standing_wave"),
    interval: 0.01,
    plan: matrix(&SOLVERS_OF_WAVES, &[]),
    measure: measure_standing_wave,
    draw: |_| Vec::new(),
};

pub const DAM_BREAK: Case = Case {
    name: "solvers_dam_break",
    title: "Solvers and walls: dam break, n² = 2",
    about: "The tall dam break above at a/20, with every solver and every wall: its front beside that of Martin and Moyce (1952).",
    remarks: "",
    scene: scene!("dam_break_n2"),
    interval: 0.0005,
    plan: matrix(&SOLVERS, &[]),
    measure: |run| dam_breaks::front_measures(run).into(),
    draw: |_| Vec::new(),
};

pub const PRESETS: Case = Case {
    name: "presets",
    title: "Presets: live and accurate",
    about: "The tall dam break above with the presets `live` and `accurate`: front and height must meet the same criteria with both. Compression and steps show \
            what `live` gives up, and for what.",
    remarks: "",
    scene: scene!("dam_break_n2"),
    interval: 0.0005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "a/20, live", set: &["preset=live"], quick: true },
            Resolution { label: "a/40, live", set: &["preset=live", "particles.spacing=0.00142875"], quick: false },
            Resolution { label: "a/20, accurate", set: &["preset=accurate"], quick: true },
            Resolution { label: "a/40, accurate", set: &["preset=accurate", "particles.spacing=0.00142875"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_presets,
    draw: |_| Vec::new(),
};

fn measure_presets(run: &RunRecord) -> Vec<Measure> {
    let mut measures = dam_breaks::measure_tall(run);
    measures.push(Measure::new("highest compression of a particle", run.compression, Unit::Percent));
    measures.push(Measure::new("steps", run.simulator.engine().steps() as f64, Unit::Plain(0)));
    measures
}

/// Known reason why a criterion is missed, if there is one: the model of the walls.
fn reason(setup: &Setup) -> &'static str {
    let solver = &setup.parameters.solver;
    match (setup.wall_sampling, solver.walls) {
        (WallSampling::SingleLayer, _) => "a single layer of wall particles leaves the support of fluid beside it partly empty",
        (WallSampling::Layers, WallPressure::OneSided) => {
            "walls without a pressure of their own: the fluid beside them is compressed until its own pressure is twice the right one"
        }
        _ => "",
    }
}

fn measure_still_water(run: &RunRecord) -> Vec<Measure> {
    let late = |curve: &[[f64; 2]]| within(curve, 10.0, f64::INFINITY);
    let [depth, weight, speed] = still_water::scales();
    let held = Measure::new("most particles held by the clamp at walls", highest(&late(&run.held)), Unit::Plain(0));
    let setup = &run.scene.setup;
    let is_default = setup.parameters.solver.walls == WallPressure::Extrapolated && setup.wall_sampling == WallSampling::Layers;
    let reason = reason(setup);
    vec![
        Measure::new("fastest particle / √(gH)", highest(&late(&run.speeds)) / speed, Unit::Plain(3))
            .accept(Criterion::AtMost(0.05))
            .if_missed(reason),
        Measure::new("level, mean / H", mean(&late(&run.series("level", [1.0, depth]))), Unit::Plain(4))
            .accept(Criterion::Between(0.995, 1.005))
            .if_missed(reason),
        Measure::new("bed pressure, mean / ρgH", mean(&late(&run.series("bed", [1.0, weight]))), Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .if_missed(reason),
        if is_default { held.accept(Criterion::AtMost(0.0)) } else { held },
    ]
}

fn measure_standing_wave(run: &RunRecord) -> Vec<Measure> {
    let judged = run.scene.setup.parameters.solver.method != Method::Pbf;
    let judge = |measure: Measure, tolerance: f64| {
        let measure = measure.if_missed(reason(&run.scene.setup));
        if judged { measure.accept(Criterion::Between(1.0 - tolerance, 1.0 + tolerance)) } else { measure }
    };
    let [period, decay] = waves::ratios(run);
    vec![
        judge(Measure::new("period / theory", period, Unit::Plain(3)), 0.02),
        judge(Measure::new("decay rate of the energy / theory", decay, Unit::Plain(2)), 0.10),
    ]
}
