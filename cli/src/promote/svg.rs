//! A promotion table as a picture, which follows the colours of its reader.

use std::fmt::Write as _;

use aclnn::{Class, DType};

use super::table::{self, Table};

const WIDTH: usize = 46;
const HEIGHT: usize = 24;
/// Of the labels of rows, and above the grid.
const LEFT: usize = 62;
const TOP: usize = 106;

const STYLE: &str = include_str!("svg.css");

/// The kinds of results, as classes of the style sheets.
pub(super) const KINDS: [(&str, &str); 5] = [
    ("float", "float"),
    ("integer", "integer"),
    ("complex", "complex"),
    ("bool", "bool"),
    ("none", "no common type"),
];

pub(super) fn kind(result: Option<DType>) -> &'static str {
    match result.map(DType::class) {
        None => "none",
        Some(Class::Float) => "float",
        Some(Class::Complex) => "complex",
        Some(Class::Bool) => "bool",
        Some(_) => "integer",
    }
}

pub(super) fn draw(table: Table) -> String {
    let (width, bottom) = (LEFT + 16 * WIDTH + 16, TOP + 16 * HEIGHT);
    let (rows, columns) = table.operands();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"Promotion table: {name}\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"16\" y=\"30\">Promotion: {name}</text>\n\
         <text class=\"note\" x=\"16\" y=\"50\">{about}</text>\n\
         <text class=\"note\" x=\"16\" y=\"68\">Rows: {rows}; columns: {columns}.</text>\n",
        height = bottom + 46,
        name = table.name(),
        about = table.about(),
    );
    let middle = |column: usize| LEFT + column * WIDTH + WIDTH / 2;
    for (position, dtype) in DType::TABLE.into_iter().enumerate() {
        _ = writeln!(
            text,
            "<text class=\"label\" x=\"{}\" y=\"{}\">{dtype}</text>",
            middle(position),
            TOP - 8
        );
        let y = TOP + position * HEIGHT + 16;
        _ = writeln!(text, "<text class=\"label row\" x=\"{}\" y=\"{y}\">{dtype}</text>", LEFT - 8);
    }
    for (row, a) in DType::TABLE.into_iter().enumerate() {
        for (column, b) in DType::TABLE.into_iter().enumerate() {
            let result = table.promote(a, b).ok();
            let (x, y, kind) = (LEFT + column * WIDTH, TOP + row * HEIGHT, kind(result));
            let (box_x, box_y, box_width, box_height) = (x + 1, y + 1, WIDTH - 2, HEIGHT - 2);
            _ = write!(
                text,
                "<g class=\"{kind}\"><title>{}</title><rect x=\"{box_x}\" y=\"{box_y}\" width=\"{box_width}\" height=\"{box_height}\" rx=\"3\"/>",
                table::every_table(table, a, b)
            );
            if table.differs(a, b) {
                let (right, top) = (box_x + box_width, box_y);
                _ = write!(text, "<path class=\"mark\" d=\"M{} {top}H{right}V{}Z\"/>", right - 9, top + 9);
            }
            let shown = if result.is_some() { table::name(result) } else { "·" };
            _ = writeln!(
                text,
                "<text class=\"cell\" x=\"{}\" y=\"{}\">{shown}</text></g>",
                middle(column),
                y + 16
            );
        }
    }
    let mut x = LEFT;
    for (kind, name) in KINDS {
        _ = writeln!(
            text,
            "<g class=\"{kind}\"><rect x=\"{x}\" y=\"{0}\" width=\"14\" height=\"14\" rx=\"3\"/></g>\
             <text class=\"note\" x=\"{1}\" y=\"{2}\">{name}</text>",
            bottom + 16,
            x + 20,
            bottom + 28
        );
        x += 46 + 7 * name.len();
    }
    if !table.differences().is_empty() {
        _ = writeln!(
            text,
            "<path class=\"mark\" d=\"M{x} {0}H{1}V{2}Z\"/><text class=\"note\" x=\"{3}\" y=\"{4}\">another table differs</text>",
            bottom + 16,
            x + 12,
            bottom + 28,
            x + 20,
            bottom + 28
        );
    }
    text + "</svg>\n"
}
