//! `aclnn promote`. Tables of results are those of `numerics/tests/data/`, which are taken from the published pages.

use std::{collections::BTreeMap, fs};

use crate::{shell::Shell, snapshot};

#[test]
fn two_types_in_any_spelling_have_one_result() {
    Shell::new().run("aclnn promote f16 bf16").is("promote/two_types");
    for (a, b) in
        [("ACL_FLOAT16", "bfloat16"), ("half", "torch.bfloat16"), ("FLOAT16", "BF16"), ("np.float16", "bf16")]
    {
        let printed = Shell::new().run(&format!("aclnn promote {a} {b} --json"));
        assert_eq!(printed.json()["result"], "f32", "{a} {b}");
    }
}

#[test]
fn editions_that_differ_are_told() {
    Shell::new().run("aclnn promote f64 complex64 --edition library").is("promote/editions_differ");
    let printed = Shell::new().run("aclnn promote bf16 f16 --edition printed --json").json();
    assert_eq!((&printed["result"], &printed["others"]["published"]), (&"f64".into(), &"f32".into()));
}

#[test]
fn a_pair_without_a_common_type_has_a_reason_and_a_code() {
    let printed = Shell::new().run("aclnn promote u16 f32").is("promote/no_common_type");
    assert_eq!(printed.code, Some(1));
    let json = Shell::new().run("aclnn promote u16 f32 --json").json();
    assert!(json["result"].is_null() && json["reason"].as_str().unwrap().contains("u16"), "{json}");
}

#[test]
fn a_misspelt_type_is_told_with_what_was_meant() {
    let printed = Shell::new().run("aclnn promote f16 folat32").is("promote/misspelt");
    assert_eq!(printed.code, Some(2));
    assert_eq!(Shell::new().run("aclnn promote f16").code, Some(2));
}

#[test]
fn a_scalar_weighs_less_than_a_tensor() {
    Shell::new().run("aclnn promote f16 f32 --scalar").is("promote/scalar");
}

/// The cells of a file such as `promotion_published.csv`, by the names of row and column.
fn printed_table(file: &str) -> BTreeMap<(String, String), String> {
    let path = format!("{}/../numerics/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let mut cells = BTreeMap::new();
    for line in lines {
        for (column, cell) in columns.iter().zip(&line).skip(1) {
            cells.insert((line[0].to_owned(), (*column).to_owned()), (*cell).to_owned());
        }
    }
    assert_eq!(cells.len(), 256, "{path}");
    cells
}

#[test]
fn the_whole_table_is_the_printed_one() {
    Shell::new().run("aclnn promote --table").is("promote/table");
    let ours = |name: &str| {
        name.replace("s8", "i8").replace("s16", "i16").replace("s32", "i32").replace("s64", "i64")
    };
    for (line, file, turned) in [
        ("aclnn promote --table --edition printed --json", "promotion_published.csv", false),
        ("aclnn promote --table --edition revised --json", "promotion_revised.csv", false),
        ("aclnn promote --table --scalar --json", "promotion_revised_scalar.csv", true),
    ] {
        let json = Shell::new().run(line).json();
        let types: Vec<&str> =
            json["types"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        for ((row, column), cell) in printed_table(file) {
            // The page has the scalar as the row.
            let (a, b) = if turned { (column, row) } else { (row, column) };
            let at = |name: &str| {
                types.iter().position(|one| *one == ours(name)).unwrap_or_else(|| panic!("{name}"))
            };
            let result = json["results"][at(&a)][at(&b)].as_str().unwrap_or("x");
            assert_eq!(result, ours(&cell), "{line}: {a} {b}");
        }
    }
}

#[test]
fn the_picture_and_the_page_hold_every_table_and_need_nothing_else() {
    let shell = Shell::new();
    shell.run("aclnn promote --svg table.svg --html tables.html").is("promote/files");
    let (svg, html) =
        (fs::read_to_string(shell.path("table.svg")), fs::read_to_string(shell.path("tables.html")));
    let (svg, html) = (svg.unwrap(), html.unwrap());
    snapshot::compare_file("../docs/promotion.svg", &svg);
    assert_eq!(svg.matches("class=\"cell\"").count(), 256);
    assert_eq!(html.matches("<section>").count(), 5);
    assert_eq!(html.matches("<td class=").count(), 5 * 256);
    for text in [&svg, &html] {
        assert!(text.contains("prefers-color-scheme: dark"));
        let outside = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains("http") && !outside.contains("<script") && !outside.contains("url("));
        for tag in [
            "g", "text", "title", "table", "tr", "td", "th", "section", "ul", "li", "p", "span", "label",
            "style",
        ] {
            let opened =
                text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
    let error = shell.run("aclnn promote --svg no/table.svg").is("promote/no_directory");
    assert_eq!(error.code, Some(2));
}

/// Colours are for terminals, and for those who force them; not for files.
#[test]
fn colours_are_printed_only_where_they_are_seen() {
    let plain = Shell::new().run("aclnn promote f16 f32").out;
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let forced = Shell::new().with("CLICOLOR_FORCE", "1");
    assert!(forced.run("aclnn promote f16 f32").out.contains('\u{1b}'));
    assert_eq!(forced.with("NO_COLOR", "1").run("aclnn promote f16 f32").out, plain);
}
