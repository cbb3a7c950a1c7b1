//! Text, which SVG neither measures nor breaks.

/// The width of a letter of a name in a box, and of a letter elsewhere. Readers have other fonts, so these are wide.
const CODE: f64 = 7.3;
const NOTE: f64 = 6.9;

/// Returns the width of a name in a box.
pub(super) fn width_of_name(name: &str) -> i32 {
    (name.chars().count() as f64 * CODE) as i32
}

/// Breaks a text into lines that fit into `width`.
pub(super) fn wrapped(text: &str, width: i32) -> Vec<String> {
    let most = (f64::from(width) / NOTE) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.replace('`', "").split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns a text as XML has it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
