//! `bench`: that the work is done and the report is whole; never how long it takes.

use serde_json::Value;

use super::{aclnn, printed, refused};

#[test]
fn a_report_holds_what_the_filter_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bench.json");
    let bench = |filter: &str| {
        let mut command = aclnn();
        command.args(["bench", "--quick", "--filter", filter, "--out"]).arg(&file);
        command
    };
    let series = |value: &Value| -> Vec<(String, String, usize)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let all = value["series"].as_array().unwrap().iter();
        all.map(|one| (text(&one["name"]), text(&one["unit"]), one["points"].as_array().unwrap().len()))
            .collect()
    };
    let table = printed(&mut bench("operators/exp"));
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(series(&saved), [("exp f32".into(), "GB/s".into(), 2)]);
    assert!(table.contains("operators, GB/s by elements") && table.contains("\nexp f32 "), "{table}");
    assert!(table.ends_with(&format!("report in {}\n", file.display())), "{table}");
    assert!(saved["environment"]["backend"].as_str().unwrap().contains("emulator"), "{saved}");

    let told: Value = serde_json::from_str(&printed(bench("host/").arg("--json"))).unwrap();
    assert_eq!(series(&told).len(), 7, "{told}");
    let points = told["series"].as_array().unwrap().iter().flat_map(|one| one["points"].as_array().unwrap());
    assert!(points.clone().all(|point| point["y"].as_f64().unwrap() > 0.0), "{told}");

    let told: Value = serde_json::from_str(&printed(bench("copies/").arg("--json"))).unwrap();
    assert_eq!(series(&told).len(), 5, "{told}");
    let error = refused(&mut bench("nothing"));
    assert!(error.contains("no series has \"nothing\""), "{error}");
}

#[test]
fn every_measured_operator_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bench.json");
    let mut trace = aclnn();
    trace.args([
        "trace",
        "--json",
        "--",
        env!("CARGO_BIN_EXE_aclnn"),
        "bench",
        "--quick",
        "--filter",
        "operators/",
        "--out",
    ]);
    let told: Value = serde_json::from_str(&printed(trace.arg(&file))).unwrap();
    let called: Vec<&str> =
        told["functions"].as_array().unwrap().iter().map(|row| row["function"].as_str().unwrap()).collect();
    for form in ["Add", "Div", "Maximum", "Exp", "Gelu", "SWhere", "ReduceSum", "Softmax", "Sort", "Cat"] {
        assert!(called.contains(&format!("aclnn{form}").as_str()), "{form} is not among {called:?}");
    }
}
