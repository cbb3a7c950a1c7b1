//! Digits as a picture, each with what was read.

use std::fmt::Write;

/// Digits beside each other, and the size of one with its caption.
const COLUMNS: usize = 24;
const WIDTH: usize = 48;
const HEIGHT: usize = 62;

/// Returns an SVG of the digits: below each one what was read, in red where that is wrong; the paler, the less probable.
pub(crate) fn draw(images: &[[f32; 64]], labels: &[usize], read: &[(usize, f32)]) -> String {
    let (width, height) = (COLUMNS * WIDTH, images.len().div_ceil(COLUMNS) * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\" text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#12141f\"/>\n"
    );
    for (place, ((image, label), (digit, probability))) in images.iter().zip(labels).zip(read).enumerate() {
        let (x, y) = (place % COLUMNS * WIDTH, place / COLUMNS * HEIGHT);
        for (pixel, shade) in image.iter().enumerate().filter(|(_, shade)| **shade > 0.0) {
            let (left, top) = (x + 4 + pixel % 8 * 5, y + 4 + pixel / 8 * 5);
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"5\" height=\"5\" fill=\"#fff\" opacity=\"{shade:.2}\"/>"
            );
        }
        let colour = if digit == label { "#8fd18f" } else { "#ff6b5e" };
        let (middle, base) = (x + WIDTH / 2, y + HEIGHT - 4);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{base}\" fill=\"{colour}\" opacity=\"{probability:.2}\">{digit}</text>"
        );
    }
    svg + "</svg>\n"
}
