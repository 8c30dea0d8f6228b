//! Words about a typed number that was not taken as it is.

use super::number::parse;
use crate::ui::theme;
use egui::{Area, Frame, Id, Order, Response, RichText, Ui, pos2};
use std::ops::RangeInclusive;

/// Time for which the words stay, s.
const TIME: f64 = 6.0;

/// Number field that a text is typed into.
pub struct Field<'a> {
    /// Unit after the number, with a leading space, or empty.
    pub unit: &'a str,
    /// True for an integer quantity.
    pub is_count: bool,
    /// Range that the field accepts.
    pub allowed: RangeInclusive<f64>,
    /// Range of the slider.
    pub slider: RangeInclusive<f64>,
    /// Formats the number.
    pub format: fn(f64) -> String,
}

/// Words of a field, and the time until which they are shown, s.
#[derive(Clone, Debug)]
struct Words {
    text: String,
    until: f64,
}

impl Field<'_> {
    /// Words about `text`, typed where the value was `before`; `None` if it is taken as it is, within the slider's range.
    fn words(&self, text: &str, before: f64) -> Option<String> {
        let number = |value: f64| format!("{}{}", (self.format)(value), self.unit);
        let (low, high) = (*self.allowed.start(), *self.allowed.end());
        match parse(text, self.unit, self.is_count) {
            None => Some(format!("“{}” is not a number: {} stays.", shortened(text), number(before))),
            Some(value) if value < low => Some(format!("{} is too low: {} is used.", text.trim(), number(low))),
            Some(value) if value > high => Some(format!("{} is too high: {} is used.", text.trim(), number(high))),
            Some(value) if !self.slider.contains(&value) => {
                let [low, high] = [*self.slider.start(), *self.slider.end()].map(number);
                Some(format!("Beyond the slider's range, {low} to {high}."))
            }
            Some(_) => None,
        }
    }

    /// Shows words below `field` about the text that was typed into it, if they are needed, for some seconds.
    pub fn comment(&self, ui: &Ui, field: &Response, typed: Option<String>, before: f64) {
        let id = field.id.with("words");
        let now = ui.input(|input| input.time);
        if let Some(text) = typed {
            let words = self.words(&text, before).map(|text| Words { text, until: now + TIME });
            ui.data_mut(|data| {
                data.remove::<Words>(id);
                words.map(|words| data.insert_temp(id, words));
            });
        }
        let Some(words) = ui.data(|data| data.get_temp::<Words>(id)) else { return };
        if now >= words.until || field.dragged() {
            ui.data_mut(|data| data.remove::<Words>(id));
            return;
        }
        ui.ctx().request_repaint_after_secs((words.until - now) as f32);
        words_ui(ui, id, field, &words.text);
    }
}

fn words_ui(ui: &Ui, id: Id, field: &Response, text: &str) {
    let corner = pos2(field.rect.right(), field.rect.bottom() + 2.0);
    let area = Area::new(id).order(Order::Foreground).fixed_pos(corner).pivot(egui::Align2::RIGHT_TOP).interactable(false);
    area.show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(280.0);
            ui.label(RichText::new(text).small().color(theme::of(ui).warning));
        });
    });
}

/// At most twenty letters of a text.
fn shortened(text: &str) -> String {
    const MOST: usize = 20;
    let text = text.trim();
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::format;

    #[test]
    fn what_is_not_taken_is_said() {
        let count = |value: f64| format::count(value.round() as u64);
        let field = Field { unit: "", is_count: true, allowed: 1.0..=16_777_216.0, slider: 1.0..=2048.0, format: count };
        let words = |text: &str| field.words(text, 1000.0);
        assert_eq!(words("99999999"), Some("99999999 is too high: 16,777,216 is used.".to_owned()));
        assert_eq!(words("0"), Some("0 is too low: 1 is used.".to_owned()));
        assert_eq!(words("abc"), Some("“abc” is not a number: 1,000 stays.".to_owned()));
        assert_eq!(words("5000"), Some("Beyond the slider's range, 1 to 2,048.".to_owned()));
        assert_eq!(words("1,024"), None);
        assert!(words(&"x".repeat(1000)).is_some_and(|words| words.len() < 80));
    }
}
