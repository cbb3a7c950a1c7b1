//! The page with the matrix of ONNX Cast is what the code says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::fmt::Write;

use aclnn_numerics::DType;
use aclnn_numerics::convert::onnx::rule::{Rule, rule};
use aclnn_numerics::convert::onnx::{Cast, CastError, CastOptions, LATEST, since, types, version};

const PAGE: &str = "src/convert/onnx/matrix.md";

fn page() -> String {
    let types: Vec<DType> = types(LATEST).collect();
    let mut page = String::from("What ONNX Cast does with every pair of types.\n\n| from \\ to |");
    for to in &types {
        write!(page, " {to} |").unwrap();
    }
    page += "\n|---|";
    page += &"---|".repeat(types.len());
    page += "\n| *since version* |";
    for &to in &types {
        write!(page, " {} |", since(to).unwrap()).unwrap();
    }
    for &from in &types {
        write!(page, "\n| {from} |").unwrap();
        for &to in &types {
            write!(page, " {} |", rule(from, to).unwrap().symbol()).unwrap();
        }
    }
    page += "\n\nA pair is allowed from the version that has both types. Complex types, and those of CANN that are not ";
    page += "in the table, are types of no version.\n\n| | rule |\n|---|---|\n";
    for rule in Rule::ALL {
        writeln!(page, "| {} | {rule} |", rule.symbol()).unwrap();
    }
    page +=
        "\nBelow, \\[x\\] is x rounded to the fraction of the target, and max its largest finite value.\n";
    page += &float8();
    page += &power();
    page
}

/// What becomes of a few values, found by running the conversion.
fn table(page: &mut String, title: &str, columns: &[(DType, CastOptions, String)], rows: &[(&str, f32)]) {
    write!(page, "\n{title}\n\n| x |").unwrap();
    for (_, _, name) in columns {
        write!(page, " {name} |").unwrap();
    }
    page.push_str("\n|---|");
    page.push_str(&"---|".repeat(columns.len()));
    for (name, value) in rows {
        write!(page, "\n| {name} |").unwrap();
        for &(to, options, _) in columns {
            let code = Cast::new(DType::F32, to, options).unwrap().code(u64::from(value.to_bits())) as u8;
            write!(page, " {} |", spelled(to, code)).unwrap();
        }
    }
    page.push('\n');
}

fn spelled(dtype: DType, code: u8) -> String {
    let format = aclnn_numerics::convert::small::FloatFormat::of(dtype).unwrap();
    let value = format.decode(code);
    let sign = if value.is_sign_negative() { "−" } else { "" };
    let largest = format.decode(format.largest());
    let name = match value.abs() {
        v if v.is_nan() && format.nan() == Some(code) => return "NaN".to_owned(),
        v if v.is_nan() => "NaN".to_owned(),
        v if v.is_infinite() => "∞".to_owned(),
        v if v == largest => "max".to_owned(),
        _ if dtype == DType::F8E8M0 && code == 0 => "min".to_owned(),
        v if dtype == DType::F8E8M0 => format!("2{}", superscript(v.log2() as i32)),
        v => v.to_string(),
    };
    format!("{sign}{name}")
}

fn superscript(number: i32) -> String {
    let digit = |c: char| c.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize));
    number.to_string().chars().map(|c| digit(c).unwrap_or('⁻')).collect()
}

fn float8() -> String {
    let mut page = String::new();
    let rows = [
        ("0", 0.0),
        ("−0", -0.0),
        ("NaN", f32::NAN),
        ("−NaN", -f32::NAN),
        ("∞", f32::INFINITY),
        ("−∞", f32::NEG_INFINITY),
        ("\\[x\\] > max", 1e6),
        ("\\[x\\] < −max", -1e6),
    ];
    let float8 = [DType::F8E4M3FN, DType::F8E4M3FNUZ, DType::F8E5M2, DType::F8E5M2FNUZ];
    for (title, saturate, opset) in [
        ("Float8 with `saturate = 1`, versions 24 and 25:", true, 25),
        ("Float8 with `saturate = 1`, versions 19 to 23:", true, 23),
        ("Float8 with `saturate = 0`:", false, 25),
    ] {
        let options = CastOptions { saturate, opset, ..Default::default() };
        let columns = float8.map(|to| (to, options, to.to_string()));
        table(&mut page, title, &columns, &rows);
    }
    page
}

fn power() -> String {
    let mut page = String::new();
    let two = |power: i32| 2f64.powi(power) as f32;
    let rows = [
        ("0, −0", 0.0),
        ("NaN", f32::NAN),
        ("∞", f32::INFINITY),
        ("1.25 · 2¹²⁷ > max", 1.25 * two(127)),
        ("0.75 · 2⁻¹²⁷ < min", 0.75 * two(-127)),
        ("negative", -1.0),
        ("1.25", 1.25),
        ("1.5", 1.5),
        ("1.75", 1.75),
    ];
    let mut columns = Vec::new();
    for saturate in [true, false] {
        for name in ["up", "down", "nearest"] {
            let options = CastOptions { saturate, round_mode: name.parse().unwrap(), ..Default::default() };
            columns.push((DType::F8E8M0, options, format!("{name}, saturate = {}", u8::from(saturate))));
        }
    }
    table(&mut page, "f8e8m0, where min is 2⁻¹²⁷ (code 0x00) and max is 2¹²⁷:", &columns, &rows);
    page
}

/// `UPDATE_PAGES=1 cargo test --test shared onnx_matrix` writes it.
#[test]
fn the_page_is_current() {
    let path = format!("{}/{PAGE}", env!("CARGO_MANIFEST_DIR"));
    let page = page();
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == page,
        "{PAGE} is not current: set UPDATE_PAGES=1 to write it"
    );
}

#[test]
fn every_pair_runs_or_says_since_when() {
    for opset in 0..30 {
        let options = CastOptions { opset, ..Default::default() };
        let Ok(version) = version(opset) else {
            assert!(opset == 0 || opset >= 28, "{opset}");
            let error = Cast::new(DType::F32, DType::F16, options).unwrap_err();
            assert_eq!(error, CastError::Opset { opset });
            continue;
        };
        assert!(version <= opset && [1, 6, 9, 13, 19, 21, 23, 24, 25].contains(&version));
        for &from in DType::ALL {
            for &to in DType::ALL {
                let first = since(from).zip(since(to)).map(|(a, b)| a.max(b));
                let strings = from == DType::String || to == DType::String;
                match Cast::new(from, to, options) {
                    Ok(cast) => {
                        assert!(first.is_some_and(|first| first <= version), "{from} {to} {opset}");
                        assert_eq!((cast.from(), cast.to()), (from, to));
                        // Any code of any type goes through.
                        cast.code(u64::MAX);
                    }
                    Err(CastError::Strings) => {
                        assert!(strings && (from == to) == (rule(from, to) == Some(Rule::Same)));
                        assert!(first.is_some_and(|first| first <= version));
                    }
                    Err(CastError::Type { dtype, opset: asked, since: named }) => {
                        assert_eq!((named, asked), (first, opset), "{from} {to}");
                        assert!(dtype == from || dtype == to);
                        assert!(first.is_none_or(|first| first > version), "{from} {to} {opset}");
                    }
                    Err(other) => panic!("{from} {to} {opset}: {other}"),
                }
            }
        }
    }
}

#[test]
fn the_number_of_types_grows_by_version() {
    let counts = [1, 6, 9, 13, 19, 21, 23, 24, 25].map(|version| types(version).count());
    assert_eq!(counts, [12, 12, 13, 14, 18, 20, 21, 22, 24]);
    assert_eq!(types(14).count(), 14);
    assert!(types(25).all(|dtype| dtype.onnx_code().is_some() && !dtype.is_complex()));
}
