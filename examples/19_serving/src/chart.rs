//! A chart of tokens per second.

use std::fmt::Write;

const WIDTH: f32 = 560.0;
const HEIGHT: f32 = 300.0;
const LEFT: f32 = 60.0;
const BOTTOM: f32 = 50.0;

/// Draws a bar for each batch size and its tokens per second.
pub(crate) fn svg(rates: &[(usize, f64)]) -> String {
    let most = rates.iter().map(|(_, rate)| *rate).fold(1.0, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let width = (WIDTH - LEFT) / rates.len() as f32;
    for (place, (batch, rate)) in rates.iter().enumerate() {
        let height = (rate / most) as f32 * (HEIGHT - BOTTOM - 40.0);
        let (x, y) = (LEFT + place as f32 * width, HEIGHT - BOTTOM - height);
        let middle = x + width * 0.35;
        // Writing to a text does not fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"#06c\"/>\n\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{rate:.0}</text>\n\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{batch}</text>",
            width * 0.7,
            y - 6.0,
            HEIGHT - BOTTOM + 18.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"18\">tokens per second</text>\n\
         <text x=\"{LEFT}\" y=\"{}\">sequences that are served at once</text>\n</svg>",
        HEIGHT - 10.0
    );
    svg
}
