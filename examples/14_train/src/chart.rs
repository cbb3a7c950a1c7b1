//! The curve of the loss as an SVG image.

use std::fmt::Write;

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 320.0;
const MARGIN: f32 = 40.0;

/// Draws losses by step; the axis is logarithmic.
pub(crate) fn svg(losses: &[f32]) -> String {
    let (top, bottom) = (10f32, 0.001f32);
    let x = |step: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * step as f32 / losses.len().max(2) as f32;
    let y = |loss: f32| {
        let share = (loss.clamp(bottom, top) / bottom).ln() / (top / bottom).ln();
        HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * share
    };
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" ");
    svg += "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    for tick in [0.001, 0.01, 0.1, 1.0, 10.0] {
        let (y, end) = (y(tick), WIDTH - MARGIN);
        let _ = writeln!(svg, "<path d=\"M{MARGIN} {y:.1}H{end}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"4\" y=\"{:.1}\">{tick}</text>", y + 4.0);
    }
    let points: Vec<String> =
        losses.iter().enumerate().map(|(step, loss)| format!("{:.1},{:.1}", x(step), y(*loss))).collect();
    let points = points.join(" ");
    let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"#06c\"/>");
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{}\">loss by step</text>\n</svg>", HEIGHT - 12.0);
    svg
}
