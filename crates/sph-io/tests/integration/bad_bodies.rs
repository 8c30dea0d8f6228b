//! Bad bodies that move by forces, and bad joints: each error shows the place and the value that was expected there.

use crate::bad::{GOOD, error};

/// Checks the summary of the good scene with a body and these keys of it.
#[track_caller]
fn check_body(keys: &str, summary: &str) {
    let body = "[[bodies]]\nname = 'crate'\nmin = [0.84, 0.5]\nmax = [0.94, 0.6]";
    assert_eq!(error(&format!("{GOOD}{body}\n{}", keys.replace("; ", "\n")), &[]).summary(), format!("a.toml:{summary}"));
}

/// Checks the summary of the same with a joint of these keys, whose `kind` is on line 28, beside a second body, which stands still.
#[track_caller]
fn check_joint(keys: &str, summary: &str) {
    let pillar = "[[bodies]]; name = 'pillar'; min = [0.84, 0.1]; max = [0.94, 0.2]";
    check_body(&format!("dynamics = {{}}; {pillar}; [[joints]]; {keys}"), summary);
}

#[test]
fn motion_by_forces() {
    for key in ["velocity = [1, 0]", "motion = [[0, 0, 0]]", "rotation = { angular_velocity = 90 }"] {
        let name = key.split(' ').next().unwrap();
        let at = 1 + name.len() + 3;
        check_body(
            &format!("{key}; dynamics = {{}}"),
            &format!(
                "22:{at}: `bodies.0` moves by forces, and has a prescribed motion: expected no such key beside `dynamics`"
            ),
        );
    }
    check_body("dynamics = { velocity = [1] }", "22:25: `bodies.0.dynamics.velocity` has 1 item: expected 2 or 3 numbers");
    check_body(
        "dynamics = { restitution = 1.5 }",
        "22:28: `bodies.0.dynamics.restitution` must be a number from 0 to 1, but is 1.5",
    );
    check_body("dynamics = { mass = 0 }", "22:21: `bodies.0.dynamics.mass` must be a number above 0, but is 0");
    check_body(
        "dynamics = { locked = ['w'] }",
        "22:24: `bodies.0.dynamics.locked.0` must be `x`, `y`, `z`, `rotation_x`, `rotation_y` or `rotation_z`, but is `w`",
    );
    check_body("dynamics = { fricton = 1 }", "22:14: unknown key `fricton` in `bodies.0.dynamics`: did you mean `friction`?");
}

#[test]
fn angular_velocities_have_a_number_for_each_axis() {
    let text = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[[containers]]
min = [0, 0, 0]\nmax = [2, 2, 2]\n[[bodies]]\nmin = [1.2, 1.2, 1.2]\nmax = [1.6, 1.6, 1.6]\ndynamics = { angular_velocity = [90] }";
    let expected = "`bodies.0.dynamics.angular_velocity` has 1 numbers in a scene of 3 dimensions: expected 3 numbers";
    assert_eq!(error(text, &[]).summary(), format!("a.toml:13:33: {expected}"));
}

#[test]
fn ends_of_joints() {
    check_joint(
        "kind = 'hinge'; body = 'crat'; anchor = [0.9, 0.5]",
        "29:8: no body is called `crat`: expected `crate` or `pillar`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; to = 'wall'; anchor = [0.9, 0.5]",
        "30:6: no body is called `wall`: expected `crate` or `pillar`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; to = 'crate'; anchor = [0.9, 0.5]",
        "30:6: joint 0: both ends are the same body: expected another value",
    );
    check_joint(
        "kind = 'ball'; body = 'pillar'; anchor = [0.9, 0.5]",
        "29:8: joint 0: neither end is a body that moves by forces: expected a body with `dynamics` at one end",
    );
}

#[test]
fn keys_of_joints() {
    check_joint("kind = 'ball'; body = 'crate'", "27:1: missing key `anchor` in `joints.0`");
    check_joint(
        "kind = 'hinge'; body = 'crate'; anchor = [0.9, 0.5]; stiffness = 5",
        "31:13: a joint of the kind `hinge` has no `stiffness`: it has `axis`, `limits` or `motor`",
    );
    check_joint(
        "kind = 'ball'; body = 'crate'; anchor = [0.9, 0.5]; axis = [1, 0]",
        "31:8: a joint of the kind `ball` has no `axis`: expected another `kind`",
    );
    check_joint("kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]", "27:1: missing key `axis` in `joints.0`");
    check_joint(
        "kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]; axis = [0, 0]",
        "31:8: joint 0: the axis has no direction: expected another value",
    );
    check_joint(
        "kind = 'slider'; body = 'crate'; anchor = [0.9, 0.5]; axis = [0, 1]; limits = [0.2, 0.1]",
        "32:10: joint 0: the lower limit is above the upper one: expected another value",
    );
    check_joint(
        "kind = 'rope'; body = 'crate'; anchor = [0.9]; to_anchor = [0.9, 0.9]",
        "30:10: `joints.0.anchor` has 1 item: expected 2 or 3 numbers",
    );
    check_joint(
        "kind = 'hing'; body = 'crate'; anchor = [0.9, 0.5]",
        "28:8: `joints.0.kind` must be `hinge`, `ball`, `slider`, `fixed`, `rope` or `spring`, but is `hing`: did you mean `hinge`?",
    );
}
