//! Text, which SVG neither measures nor breaks.

/// The width of a letter in the name of a room, whose letters are all as wide.
const CODE: f64 = 7.3;

/// Returns the width of the name of a room.
pub(super) fn width_of_name(name: &str) -> i32 {
    (name.chars().count() as f64 * CODE) as i32
}

/// Returns about how wide a letter is; in most fonts of readers it is narrower.
fn width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' => 3.5,
        ' ' | ',' | '.' | ':' | ';' => 4.1,
        'f' | 'r' | 't' | '(' | ')' | '-' => 5.0,
        'm' | 'M' | 'w' | 'W' => 11.5,
        _ => 7.6,
    }
}

/// Breaks a text into lines that fit into `most`.
pub(super) fn wrapped(text: &str, most: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for word in text.replace('`', "").split_whitespace() {
        let more: f64 = word.chars().map(width).sum();
        match lines.last_mut() {
            Some(line) if used + width(' ') + more <= f64::from(most) => {
                line.push(' ');
                line.push_str(word);
                used += width(' ') + more;
            }
            _ => {
                lines.push(word.to_owned());
                used = more;
            }
        }
    }
    lines
}

/// Returns a text as XML has it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
