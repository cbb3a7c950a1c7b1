//! All promotion tables as one page, which needs nothing else and no script.

use std::fmt::Write as _;

use aclnn::DType;

use super::svg::{KINDS, kind};
use super::table::{self, Table};

const STYLE: &str = include_str!("page.css");

/// Returns the page, which shows `first` until its reader chooses another table.
pub(super) fn page(first: Table) -> String {
    let tables = Table::TENSORS.into_iter().chain([Table::Scalar]);
    let (mut inputs, mut tabs, mut sections) = (String::new(), String::new(), String::new());
    for (position, table) in tables.enumerate() {
        let checked = if table == first { " checked" } else { "" };
        _ = writeln!(inputs, "<input type=\"radio\" name=\"table\" id=\"t{position}\"{checked}>");
        _ = writeln!(tabs, "<label for=\"t{position}\">{}</label>", table.name());
        _ = writeln!(
            sections,
            "<section>\n<p>{}</p>\n{}{}</section>",
            table.about(),
            grid(table),
            differences(table)
        );
    }
    let kinds: String =
        KINDS.iter().map(|(kind, name)| format!("<span class=\"{kind}\">{name}</span>\n")).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Promotion of element types</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Promotion of element types</h1>\n\
         <p>The type in which an operator computes, from the types of its operands. A cell tells on hovering what every \
         table says.</p>\n\
         {inputs}<nav>\n{tabs}</nav>\n<p class=\"legend\">\n{kinds}<span class=\"differs\">another table \
         differs</span>\n</p>\n{sections}</body>\n</html>\n"
    )
}

fn grid(table: Table) -> String {
    let (rows, columns) = table.operands();
    let mut text = format!(
        "<div class=\"wide\">\n<table>\n<caption>Rows: {rows}. Columns: {columns}.</caption>\n<tr><td></td>"
    );
    DType::TABLE.iter().for_each(|column| _ = write!(text, "<th scope=\"col\">{column}</th>"));
    text += "</tr>\n";
    for a in DType::TABLE {
        _ = write!(text, "<tr><th scope=\"row\">{a}</th>");
        for b in DType::TABLE {
            let result = table.promote(a, b).ok();
            let differs = if table.differs(a, b) { " differs" } else { "" };
            let shown = if result.is_some() { table::name(result) } else { "·" };
            let title = table::every_table(table, a, b);
            _ = write!(text, "<td class=\"{}{differs}\" title=\"{title}\">{shown}</td>", kind(result));
        }
        text += "</tr>\n";
    }
    text + "</table>\n</div>\n"
}

fn differences(table: Table) -> String {
    let differences = table.differences();
    if differences.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Where tables differ</h2>\n<ul>\n".to_owned();
    for one in differences {
        let pairs: Vec<String> = one.pairs.iter().map(|(a, b)| format!("{a} with {b}")).collect();
        let others: Vec<String> = one
            .others
            .iter()
            .map(|(table, dtype)| format!("{} {}", table.name(), table::name(*dtype)))
            .collect();
        _ = writeln!(
            text,
            "<li>{}: <b>{}</b> here; {}</li>",
            pairs.join(", "),
            table::name(one.gives),
            others.join(", ")
        );
    }
    text + "</ul>\n"
}
