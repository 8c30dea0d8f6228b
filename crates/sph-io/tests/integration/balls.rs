//! Balls in scene files: what they become, their faults with a place, and remarks.

use sph_core::neighbors::{Structure, Update};
use sph_core::parameters::{Storage, Walk};
use sph_core::{Engine as _, Simulation};
use sph_io::{Override, Scene, parse};
use sph_pbd::balls::SPIN;

/// A closed tank of 1 m without fluid, and balls with these keys.
fn scene(keys: &str) -> String {
    let tank = "[[containers]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
    format!("format = 1\nparticles.spacing = 0.1\ntime_step.max_dt = 0.01\n{tank}[[balls]]\n{}\n", keys.replace("; ", "\n"))
}

/// Ten equal balls in a block.
const BLOCK: &str = "count = 10; radius = 0.05; min = [0.1, 0.1, 0.1]; max = [0.9, 0.9, 0.9]";

fn read(keys: &str) -> Scene {
    parse(&scene(keys), "balls", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    parse(text, "balls", &[]).expect_err("a fault").summary()
}

#[test]
fn a_block_of_balls_falls_without_any_fluid_and_comes_to_rest_on_the_floor() {
    let scene = read(&format!("name = \"marbles\"; density = 1000.0; restitution = 0.0; {BLOCK}"));
    assert_eq!(scene.remarks, [] as [String; 0]);
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    let set = &simulation.view().sets[0];
    assert_eq!((set.name.as_str(), set.len()), ("marbles", 10));
    assert!(set.masses.iter().all(|mass| (mass - std::f32::consts::FRAC_PI_6).abs() < 1e-4));
    assert_eq!(scene.setup.points.as_ref().map(|points| points.source().counts_by_kind()), Some(vec![(10, "balls")]));
    while simulation.time() < 2.0 {
        assert_eq!(simulation.step().error, None);
    }
    let set = &simulation.view().sets[0];
    assert!(set.positions.iter().all(|center| center.y > 0.045), "none has left");
    let lowest = set.positions.iter().map(|center| center.y).fold(1.0, f32::min);
    assert!((lowest - 0.05).abs() < 1e-3, "{lowest}");
    let fastest = set.velocities.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
    assert!(fastest < 0.2, "{fastest} m/s");
    assert_eq!(simulation.view().dynamics.expect("balls").triangles(0, set), [] as [[u32; 3]; 0]);
}

#[test]
fn radii_are_one_a_few_or_from_a_distribution() {
    let radii = |keys: &str| -> Vec<f32> {
        let scene = read(&format!("min = [0, 0, 0]; max = [1, 1, 1]; {keys}"));
        scene.setup.points.expect("balls").source().sets()[0].radii.clone()
    };
    assert_eq!(radii("count = 3; radius = 0.02"), [0.02; 3]);
    let two = radii("count = 400; radii = [0.01, 0.02]; shares = [3, 1]");
    let large = two.iter().filter(|radius| **radius == 0.02).count();
    assert!((60..140).contains(&large) && two.iter().all(|radius| [0.01, 0.02].contains(radius)), "{large}");
    for (distribution, mean) in [("uniform", 0.0275), ("log_uniform", 0.01954)] {
        let drawn = radii(&format!("count = 400; radius_range = [0.005, 0.05]; distribution = \"{distribution}\""));
        let found = drawn.iter().sum::<f32>() / drawn.len() as f32;
        assert!((found / mean - 1.0).abs() < 0.1, "{distribution}: {found}");
    }
    assert_eq!(
        radii("count = 9; radius_range = [0.005, 0.05]; seed = 1"),
        radii("count = 9; radius_range = [0.005, 0.05]; seed = 1")
    );
    assert_ne!(
        radii("count = 9; radius_range = [0.005, 0.05]; seed = 1"),
        radii("count = 9; radius_range = [0.005, 0.05]; seed = 2")
    );
    // A part of the volume in place of a number.
    let filled = radii("filling = 0.2; radius = 0.03");
    assert_eq!(filled.len(), (0.2_f32 / (4.0 / 3.0 * std::f32::consts::PI * 0.03_f32.powi(3))).ceil() as usize);
}

#[test]
fn balls_have_the_places_and_motion_that_the_scene_gives() {
    let keys = "centers = [[0.2, 0.5, 0.5], [0.8, 0.5, 0.5]]; radii = [0.05, 0.1]; velocity = [1, 0, 0]; spin = [0, 0, 3]; color = \"#ff8000\"";
    let scene = read(keys);
    let source = scene.setup.points.expect("balls");
    let set = &source.source().sets()[0];
    assert_eq!(set.positions[1].to_array(), [0.8, 0.5, 0.5]);
    assert_eq!((set.radii[0], set.radii[1], set.velocities[0].x), (0.05, 0.1, 1.0));
    assert_eq!(set.column(SPIN).map(|spins| spins.len()), Some(2));
    assert_eq!(source.source().color(0), Some([255, 128, 0]));
}

#[test]
fn balls_are_poured_from_their_time_on() {
    let keys = "count = 20; radius = 0.04; min = [0.3, 0.8, 0.3]; max = [0.7, 0.95, 0.7]; rate = 100; start = 0.1";
    let scene = read(keys);
    assert_eq!(scene.setup.particle_counts().points, 20, "memory is forecast for all of them");
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    let mut counts = Vec::new();
    while simulation.time() < 0.6 {
        assert_eq!(simulation.step().error, None);
        counts.push((simulation.time(), simulation.view().sets[0].len()));
    }
    assert!(counts.iter().filter(|(time, _)| *time < 0.1).all(|(_, count)| *count == 0));
    assert!(counts.is_sorted_by_key(|(_, count)| *count) && counts.last().map(|(_, count)| *count) == Some(20));
    // Half of them have come: a state of this moment goes on in another simulation to the same bits.
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    while simulation.view().sets[0].len() < 10 {
        simulation.step();
    }
    let mut again = Simulation::from_state(&scene.setup, simulation.snapshot()).expect("a state of this setup");
    for _ in 0..30 {
        simulation.step();
        again.step();
    }
    assert!(simulation.state() == again.state() && simulation.view().sets[0].len() == 20);
}

#[test]
fn the_search_is_what_the_scene_says() {
    let grid = |keys: &[&str]| {
        let keys: Vec<Override> = keys.iter().map(|key| key.parse().expect("an override")).collect();
        let scene = parse(&scene(BLOCK), "balls", &keys).unwrap_or_else(|error| panic!("{error}"));
        scene.setup.points.expect("balls").source().grids()[0]
    };
    let usual = grid(&[]);
    assert_eq!((usual.structure, usual.table_size), (Structure::BlockMap(Storage::Linked, Walk::Blocks), 20));
    assert!((usual.cell_size - 0.2).abs() < 1e-6);
    assert_eq!(grid(&["ball.grid.walk=points"]).structure, Structure::BlockMap(Storage::Linked, Walk::Points));
    let other = grid(&["ball.grid.structure=cell_hash", "ball.grid.table_size=100", "ball.grid.cell_size=0.1"]);
    assert_eq!((other.structure, other.table_size, other.cell_size), (Structure::CellHash(Update::Rebuilt), 100, 0.1));
    let text = scene(BLOCK);
    let wide = parse(&text, "balls", &["ball.grid.cell_size=10".parse().expect("an override")]).expect_err("beyond the range");
    let expected = "ball.grid.cell_size must be 0.025 to 0.8 m, an eighth to four times the usual 0.2 m, but is 10 m";
    assert!(wide.summary().contains(expected), "{}", wide.summary());
    // Both ends as the fault names them.
    for end in [0.025, 0.8] {
        assert_eq!(grid(&[&format!("ball.grid.cell_size={end}")]).cell_size, end);
    }
}

#[test]
fn the_motion_is_the_same_with_every_search_of_a_scene() {
    let run = |structure: &str| {
        let text = scene("count = 60; radius_range = [0.02, 0.1]; min = [0, 0, 0]; max = [1, 1, 1]");
        let key: Override = format!("ball.grid.structure={structure}").parse().expect("an override");
        let mut simulation = Simulation::new(&parse(&text, "balls", &[key]).expect("a scene").setup).expect("a valid setup");
        (0..60).for_each(|_| assert_eq!(simulation.step().error, None));
        simulation.view().sets[0].clone()
    };
    let block_map = run("block_map");
    for structure in ["spatial_hash", "sorted_cells", "brute_force"] {
        assert!(run(structure) == block_map, "{structure}");
    }
}

#[test]
fn faults_have_a_place_and_say_what_is_expected() {
    let block = "min = [0, 0, 0]; max = [1, 1, 1]";
    let found = [
        (scene(&format!("count = 3; radius = 0.0; {block}")), "balls.0.radius"),
        (scene(&format!("count = 3; radius = -1; {block}")), "balls.0.radius"),
        (scene(&format!("count = 3; radii = [0.1, 0.0]; {block}")), "a radius is 0 m, which is not a positive number"),
        (scene(&format!("count = 3; radius_range = [0.01, 0.3]; {block}")), "differ by a factor of 30.0"),
        (scene(&format!("count = 3; radius_range = [0.3, 0.1]; {block}")), "is larger than the largest"),
        (scene(&format!("count = 3; {block}")), "none of `radius`, `radii` or `radius_range`"),
        (scene(&format!("count = 3; radius = 0.1; radii = [0.1]; {block}")), "more than one of `radius`"),
        (scene(&format!("count = 3; radii = [0.1, 0.2]; shares = [1]; {block}")), "1 shares for 2 radii"),
        (scene(&format!("count = 3; radius = 0.1; shares = [1]; {block}")), "`shares` belong to a list"),
        (scene(&format!("count = 3; radius = 0.1; distribution = \"uniform\"; {block}")), "belongs to a `radius_range`"),
        (scene(&format!("count = 3; filling = 0.1; radius = 0.1; {block}")), "more than one of `count` or `filling`"),
        (scene(&format!("count = 3; radius = 0.1; start = 1.0; {block}")), "only balls that are poured"),
        (scene(&format!("radius = 0.1; rate = 10; {block}")), "pours without end"),
        (scene("count = 3; radius = 0.1; rate = 10; min = [0, 0, 0]; max = [1, 0.1, 1]"), "does not fit through the opening"),
        (scene("count = 3; radius = 0.1"), "says nothing of where the balls are"),
        (scene("count = 3; radius = 0.1; min = [0, 0, 0]"), "has neither a whole block nor `centers` alone"),
        (scene("count = 3; radius = 0.1; centers = [[0, 0, 0]]"), "there are 1 `centers`"),
        (scene("radii = [0.1, 0.1]; centers = [[0.5, 0.5, 0.5]]"), "2 radii for 1 balls"),
        (
            scene("count = 130; radius = 0.1; min = [0, 0, 0]; max = [1, 1, 1]"),
            "of 130 balls, the largest first, find room in the box",
        ),
        (scene("count = 500; radius = 0.1; min = [0, 0, 0]; max = [1, 1, 1]"), "500 balls would take 209 % of the box"),
        (scene("count = 5; radius = 0.1; min = [0, 0, 0]; max = [1, 0, 1]"), "is empty or not finite"),
        (scene(&format!("count = 3; radius = 0.1; color = \"red\"; {block}")), "is not a colour"),
        (scene(&format!("count = 3; radius = 0.1; densty = 1.0; {block}")), "did you mean `density`?"),
        (scene(&format!("count = 3; radius = 0.1; friction = -1; {block}")), "balls.0.friction"),
        (scene(&format!("count = 0; radius = 0.1; {block}")), "balls.0.count"),
        (scene(BLOCK).replace("format = 1", "format = 1\ndimensions = 2"), "balls need three dimensions"),
        (scene(&format!("name = \"a\"; {BLOCK}; [[balls]]; name = \"a\"; {BLOCK}")), "two sets of points are called `a`"),
        (scene(&format!("{BLOCK}; [[balls]]; count = 1; radius = 0.002; {block}")), "differ by a factor of 25.0"),
    ];
    for (text, part) in found {
        let message = error(&text);
        assert!(message.contains(part), "{message}\nshould contain {part}, of\n{text}");
    }
    let report =
        parse(&scene("count = 500; radius = 0.1; min = [0, 0, 0]; max = [1, 1, 1]"), "balls", &[]).expect_err("no room");
    assert!(report.to_string().contains("| count = 500\n") && report.to_string().contains("^^^ expected fewer"), "{report}");
    // The radius itself in a list of several.
    for (keys, caret) in [("radii = [0.1, 0.0]", "^^^"), ("radius_range = [0.0, 0.1]", "^^^")] {
        let report = parse(&scene(&format!("count = 3; {keys}; {block}")), "balls", &[]).expect_err("no radius");
        assert!(report.to_string().contains(&format!(" {caret} expected positive numbers")), "{report}");
    }
}

#[test]
fn balls_without_bound_are_refused_before_they_are_made() {
    let many = [
        "count = 1000001; radius = 0.001; min = [0, 0, 0]; max = [1, 1, 1]",
        "radius = 1e-6; min = [0, 0, 0]; max = [1, 1, 1]",
        "radius = 1e-30; min = [-1e9, -1e9, -1e9]; max = [1e9, 1e9, 1e9]",
        "count = 1000000; radius = 0.1; min = [0, 0, 0]; max = [1, 1, 1]",
    ];
    let start = std::time::Instant::now();
    many.into_iter().for_each(|keys| assert!(error(&scene(keys)).contains("balls"), "{keys}"));
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn likely_mistakes_are_remarked() {
    let found = [
        ("radius = 0.1; centers = [[0.5, 0.5, 0.5], [0.5, 0.6, 0.5]]", "1 pair of balls overlaps at the beginning"),
        ("radius = 0.1; centers = [[0.5, 1.5, 0.5]]", "1 ball starts outside every container; it will meet no walls"),
        ("radius = 0.1; centers = [[0.5, 0.05, 0.5]]", "1 ball starts partly in a wall; it will be pushed inside"),
        ("radius = 0.1; count = 5; rate = 1; min = [2, 2, 2]; max = [3, 3, 3]", "5 balls start outside every container"),
        (
            "radius = 0.02; count = 900; velocity = [0, -1, 0]; rate = 900; min = [0.4, 0.9, 0.4]; max = [0.6, 1, 0.6]",
            "balls wait",
        ),
    ];
    for (keys, part) in found {
        let remarks = read(keys).remarks;
        assert!(remarks.iter().any(|remark| remark.contains(part)), "{remarks:?} should contain {part}");
    }
    // Above an open container balls fall into it.
    let open = scene("radius = 0.1; centers = [[0.5, 1.5, 0.5]]")
        .replace("max = [1, 1, 1]\n", "max = [1, 1, 1]\nopen = [\"y_max\"]\n");
    assert_eq!(parse(&open, "balls", &[]).expect("a scene").remarks, [] as [String; 0]);
    let body = "[[bodies]]\nmin = [0.3, 0.3, 0.3]\nmax = [0.7, 0.7, 0.7]\n";
    let text =
        scene("radius = 0.1; centers = [[0.5, 0.75, 0.5], [0.5, 0.9, 0.5]]").replace("[[balls]]", &format!("{body}[[balls]]"));
    let remarks = parse(&text, "balls", &[]).expect("a scene").remarks;
    assert!(remarks.iter().any(|remark| remark.contains("1 ball starts partly in a body")), "{remarks:?}");
}

#[test]
fn balls_that_start_in_a_cloth_are_remarked() {
    let sheet = "[[cloths]]\nname = \"net\"\ncorner = [0.1, 0.5, 0.1]\nalong = [0.8, 0, 0]\nacross = [0, 0, 0.8]\nspacing = 0.2\nthickness = 0.2\n";
    let remarks = |keys: &str| {
        let text = scene(keys).replace("[[balls]]", &format!("{sheet}[[balls]]"));
        parse(&text, "both", &[]).unwrap_or_else(|error| panic!("{error}")).remarks
    };
    // In the middle of a triangle, over the rim, and near it in its plane; one that lies on the sheet, and one beside it.
    let places = "[0.53, 0.5, 0.57], [0.09, 0.52, 0.5], [0.97, 0.55, 0.5], [0.5, 0.62, 0.3], [0.3, 0.61, 0.96]";
    let found = remarks(&format!("radius = 0.02; centers = [{places}]"));
    let expected = "balls 1: 3 balls start in the cloth `net`; they will be pushed to one side or the other";
    assert!(found.iter().any(|remark| remark == expected), "{found:?}");
    let clear = remarks("radius = 0.02; count = 50; min = [0, 0.7, 0]; max = [1, 1, 1]");
    assert!(clear.iter().all(|remark| !remark.contains("in the cloth")), "{clear:?}");
    // Those of a block that the sheet cuts, some of them.
    let cut = remarks("radius = 0.02; count = 200; min = [0.1, 0.3, 0.1]; max = [0.9, 0.7, 0.9]");
    assert!(cut.iter().any(|remark| remark.contains("balls start in the cloth `net`")), "{cut:?}");
}

#[test]
fn cloth_and_balls_share_a_scene() {
    let sheet =
        "[[cloths]]\nname = \"sheet\"\ncorner = [0, 0.9, 0]\nalong = [0.4, 0, 0]\nacross = [0, 0, 0.2]\nspacing = 0.1\n";
    let text = scene(BLOCK).replace("[[balls]]", &format!("{sheet}[[balls]]"));
    let scene = parse(&text, "both", &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    for _ in 0..10 {
        assert_eq!(simulation.step().error, None);
    }
    let view = simulation.view();
    assert_eq!(
        view.sets.iter().map(|set| (set.name.as_str(), set.len())).collect::<Vec<_>>(),
        [("sheet", 15), ("balls 1", 10)]
    );
    assert_eq!((view.set_searches.len(), view.dynamics.expect("both").triangles(0, &view.sets[0]).len()), (2, 16));
    assert_eq!(
        scene.setup.points.as_ref().map(|points| points.source().counts_by_kind()),
        Some(vec![(15, "cloth vertices"), (10, "balls")])
    );
    // Each part has its own search.
    let mut grid = view.set_grids[1];
    grid.table_size = 7;
    assert_eq!(simulation.set_point_grid(1, grid), Ok(()));
    assert_ne!(simulation.view().set_grids[0].table_size, 7);
    let again = Simulation::from_state(&scene.setup, simulation.snapshot()).expect("a state of this setup");
    assert!(again.state() == simulation.state());
    let mut fork = simulation.fork();
    for _ in 0..10 {
        simulation.step();
        fork.step();
    }
    assert!(simulation.state() == &fork.snapshot());
    let clash = text.replace("name = \"sheet\"", "name = \"balls 1\"");
    assert!(error(&clash).contains("two sets of points are called `balls 1`"), "{}", error(&clash));
}

/// A ball that flies into a free sheet takes it along, and both keep the momentum that the ball had.
#[test]
fn a_ball_takes_a_sheet_along_and_their_momentum_stays() {
    let sheet = "[[cloths]]\ncorner = [-0.3, 0, -0.3]\nalong = [0.6, 0, 0]\nacross = [0, 0, 0.6]\nspacing = 0.05\nareal_density = 0.5\n";
    let ball =
        "[[balls]]\nradius = 0.1\ndensity = 50\ncenters = [[0.02, 0.2, 0.01]]\nvelocity = [0, -2, 0]\nspin = [0, 0, 8]\n";
    let text = format!("format = 1\ngravity = [0, 0, 0]\nparticles.spacing = 0.1\ntime_step.max_dt = 0.01\n{sheet}{ball}");
    let scene = parse(&text, "both", &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(&scene.setup).expect("a valid setup");
    let momentum = |simulation: &Simulation, set: usize| {
        let set = &simulation.view().sets[set];
        set.velocities
            .iter()
            .zip(&set.masses)
            .map(|(velocity, &mass)| velocity.as_dvec3() * f64::from(mass))
            .sum::<glam::DVec3>()
    };
    let total = |simulation: &Simulation| momentum(simulation, 0) + momentum(simulation, 1);
    let before = total(&simulation);
    for _ in 0..40 {
        assert_eq!(simulation.step().error, None);
        let drift = (total(&simulation) - before).length();
        assert!(drift < 1e-4 * before.length(), "{drift} N s of {before} at {} s", simulation.time());
    }
    let ([sheet, ball], view) = ([0, 1].map(|set| momentum(&simulation, set).y / before.y), simulation.view());
    assert!(sheet > 0.2 && ball < 0.8, "the sheet has {sheet} of the momentum, the ball {ball}");
    // No vertex is in the ball, but for what the ball goes in a step.
    let (center, radius) = (view.sets[1].positions[0], view.sets[1].radii[0]);
    let nearest = view.sets[0].positions.iter().map(|vertex| vertex.distance(center)).fold(f32::INFINITY, f32::min);
    assert!(nearest > 0.8 * radius, "{nearest} m");
}

/// A step is cut into 1000 substeps at most, which the file may have meant to be shorter.
#[test]
fn substeps_that_are_longer_than_set_are_remarked() {
    let text = scene("radius = 0.1; centers = [[0.5, 0.5, 0.5]]").replace("max_dt = 0.01", "max_dt = 0.05");
    let text = text.replace("[[containers]]", "fluid.sound_speed = 1\nball.substep = 1e-5\n[[containers]]");
    let remarks = |overrides: &[&str]| {
        let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().expect("an override")).collect();
        parse(&text, "balls", &overrides).expect("a scene").remarks
    };
    let found = remarks(&[]);
    assert!(matches!(&found[..], [remark] if remark.contains("ball.substep") && remark.contains("1000 substeps")), "{found:?}");
    assert_eq!(remarks(&["time_step.max_dt=0.01"]), [] as [String; 0]);
    assert_eq!(remarks(&["ball.substep=6e-5"]), [] as [String; 0]);
}
