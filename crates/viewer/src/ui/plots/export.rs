//! Table of what the plots show, as CSV.

use std::fmt::Write;

use super::{PlotsView, Plotted, Quantity, Shown};
use crate::session::{Snapshot, StepCosts};
use crate::ui::point_search::Noun;
use sph_core::Phase;

/// The table of what `view` plots of `snapshot`, with the search of point set `set` or of the fluid: a column for the time, and one for each
/// curve; `None` if nothing is plotted.
pub fn plot_csv(view: &PlotsView, set: Option<usize>, snapshot: &Snapshot) -> Option<String> {
    match view.plotted {
        Plotted::Costs => costs(snapshot.costs_of(set)?, set.map(|_| Noun::of(snapshot, set))),
        _ => curves(&view.shown(snapshot)),
    }
}

/// Reason why there is no such table, a sentence; `None` if there is one.
pub fn nothing_to_export(view: &PlotsView, set: Option<usize>, snapshot: &Snapshot) -> Option<&'static str> {
    if view.plotted == Plotted::Costs {
        let is_empty = snapshot.costs_of(set).is_none_or(|costs| costs.samples().len() == 0);
        return is_empty.then_some("No step has been measured yet: let the simulation run first.");
    }
    let shown = view.shown(snapshot);
    if shown.is_empty() {
        return match view.plotted {
            Plotted::Probes => Some("This scene has no probes."),
            Plotted::Chosen => Some("No curves are chosen."),
            Plotted::Costs | Plotted::Motion => Some("There are no curves yet."),
        };
    }
    let is_empty = shown.iter().all(|shown| shown.readings.span().is_none());
    is_empty.then_some("The curves have no values yet: let the simulation run first.")
}

/// Phases and quantities of the grid over the running time of the last seconds, 0 at their end.
fn costs(costs: &StepCosts, points: Option<Noun>) -> Option<String> {
    let end = costs.samples().next_back()?.seconds;
    let phases = Phase::ALL.map(|phase| format!("{} (ms)", phase.name()));
    let quantities = Quantity::ALL.map(|quantity| quantity.label_of(points).replace(", ms", " (ms)"));
    let mut text = String::from("running time (s)");
    phases.iter().chain(&quantities).for_each(|name| _ = write!(text, ",{}", quoted(name)));
    text.push('\n');
    for sample in costs.samples() {
        let _ = write!(text, "{:.3}", sample.seconds - end);
        let values = sample.phase_ms.into_iter().chain(Quantity::ALL.map(|quantity| quantity.of(sample)));
        values.for_each(|value| _ = write!(text, ",{value}"));
        text.push('\n');
    }
    Some(text)
}

/// Curves over simulated time. A cell is empty where a curve has no sample of that time, or no value.
fn curves(shown: &[Shown<'_>]) -> Option<String> {
    let columns: Vec<Vec<[f64; 2]>> = shown.iter().map(|shown| shown.readings.samples(shown.number).collect()).collect();
    let mut times: Vec<f64> = columns.iter().flatten().map(|[time, _]| *time).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    if times.is_empty() {
        return None;
    }
    let mut text = String::from("time (s)");
    for shown in shown {
        let name = match shown.unit() {
            "" => shown.name().to_owned(),
            unit => format!("{} ({unit})", shown.name()),
        };
        let _ = write!(text, ",{}", quoted(&name));
    }
    text.push('\n');
    let mut next = vec![0; columns.len()];
    for time in times {
        let _ = write!(text, "{time}");
        for (column, next) in columns.iter().zip(&mut next) {
            text.push(',');
            if let Some([_, value]) = column.get(*next).filter(|[at, _]| *at == time) {
                *next += 1;
                if !value.is_nan() {
                    let _ = write!(text, "{value}");
                }
            }
        }
        text.push('\n');
    }
    Some(text)
}

/// A field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Curve, Readings};
    use sph_core::probes::Reading;

    #[test]
    fn curves_of_different_times_share_a_table() {
        let readings = |label: &str, unit| {
            let reading = Reading { label: label.to_owned(), unit };
            Readings::with_curves(vec![Curve { reading, index: 0 }], 1)
        };
        let (mut one, mut other) = (readings("level, left", "m"), readings("count", ""));
        one.add(0.0, &[Some(1.0)]);
        one.add(0.5, &[None]);
        one.add(1.0, &[Some(2.0)]);
        other.add(0.25, &[Some(3.0)]);
        other.add(1.0, &[Some(4.5)]);
        let shown = [&one, &other].map(|readings| Shown { readings, number: 0, color: 0 });
        let expected = "time (s),\"level, left (m)\",count\n0,1,\n0.25,,3\n0.5,,\n1,2,4.5\n";
        assert_eq!(curves(&shown).as_deref(), Some(expected));
        assert_eq!(curves(&[]), None);
    }

    #[test]
    fn there_is_a_reason_wherever_there_is_no_table() {
        for plotted in [Plotted::Costs, Plotted::Motion, Plotted::Probes, Plotted::Chosen] {
            let (view, snapshot) = (PlotsView { plotted, ..PlotsView::default() }, Snapshot::default());
            assert!(
                plot_csv(&view, None, &snapshot).is_none() && nothing_to_export(&view, None, &snapshot).is_some(),
                "{plotted:?}"
            );
        }
        let reading = Reading { label: "level".to_owned(), unit: "m" };
        let mut snapshot =
            Snapshot { motion: Readings::with_curves(vec![Curve { reading, index: 0 }], 1), ..Snapshot::default() };
        let view = PlotsView { plotted: Plotted::Motion, ..PlotsView::default() };
        assert!(plot_csv(&view, None, &snapshot).is_none() && nothing_to_export(&view, None, &snapshot).is_some());
        snapshot.motion.add(0.0, &[Some(1.0)]);
        assert!(plot_csv(&view, None, &snapshot).is_some() && nothing_to_export(&view, None, &snapshot).is_none());
    }
}
