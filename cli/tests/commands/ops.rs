//! `aclnn ops`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::libraries;
use crate::shell::Shell;

fn names<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

#[test]
fn an_operator_is_told_with_types_forms_and_presence() {
    let printed = Shell::new().run("aclnn ops add").is("ops/add");
    // In C it has the same name, and any of its forms finds it.
    for name in ["Adds", "aclnnAdd", "aclnnInplaceAddGetWorkspaceSize", "ADD"] {
        assert_eq!(Shell::new().run(&format!("aclnn ops {name}")).out, printed.out, "{name}");
    }
    let json = &Shell::new().run("aclnn ops add --json").json()[0];
    assert_eq!(names(&json["forms"], "name"), ["Add", "Adds", "InplaceAdd", "InplaceAdds"]);
    // The first training series has no bf16, as CANN's page about Add says.
    let types = |product: &str| json["types"][product].as_array().unwrap().clone();
    assert!(types("Ascend910B").contains(&"bf16".into()) && !types("Ascend910").contains(&"bf16".into()));
    // The result of integers is a float, for which a tensor of integers has no place.
    let json = &Shell::new().run("aclnn ops expm1 --json").json()[0];
    let takes = |types: &Value| types["Ascend910B"].as_array().unwrap().contains(&"i64".into());
    assert!(takes(&json["types"]) && !takes(&json["forms"][1]["types"]), "{json}");
}

/// As `aclnn run` calls it, under every name.
#[test]
fn an_operator_is_told_with_its_call_or_the_reason_why_there_is_none() {
    let shell = Shell::new();
    let declared = shell.run("aclnn ops --json").json();
    let forms = declared.as_array().unwrap().iter().flat_map(|one| one["forms"].as_array().unwrap());
    for form in forms {
        assert!(form["call"].is_string() != form["refused"].is_string(), "{form}");
    }
    let call = |name: &str| shell.run(&format!("aclnn ops {name}")).out;
    assert!(call("InplaceAdds").contains("\n  aclnn run add_in_place self other [--attr alpha=…]\n"));
    assert!(
        call("InplaceZero")
            .contains("\n  no call: the safe layer has no function for aclnnInplaceZero; there is `zeros`\n")
    );
    assert!(call("InplaceExp").contains("\n  aclnn run exp_in_place self\n"));
    assert!(call("topk").contains("\n  aclnn run topk self --attr k=… [--attr axis=-1]"));
    assert!(call("search_sorted").contains("aclnnSearchSorteds"));
    assert!(call("pad").contains("aclnnConstantPadNd") && call("pad").contains("aclnnCircularPad3d"));
    assert_eq!(call("rdiv"), "aclnn run rdiv self other\n");
}

#[test]
fn lists_hold_what_is_asked_for() {
    Shell::new().run("aclnn ops --family fill").is("ops/family");
    let found = Shell::new().run("aclnn ops --find LOGICAL --json").json();
    let found = names(&found, "function");
    assert!(found.contains(&"logical_and") && !found.contains(&"add"), "{found:?}");
    let unknown = Shell::new().run("aclnn ops --family fil").is("ops/unknown_family");
    assert_eq!(unknown.code, Some(2));
    assert!(Shell::new().run("aclnn ops --family qqqqqq").err.contains("there are activation, arithmetic, "));
}

/// All rows of the table of published operators, and nothing twice.
#[test]
fn every_published_operator_is_listed_as_declared_or_not() {
    let declared = Shell::new().run("aclnn ops --json").json();
    let declared = declared.as_array().unwrap().iter().flat_map(|one| names(&one["forms"], "name"));
    let undeclared = Shell::new().run("aclnn ops --undeclared --json").json();
    let listed: Vec<&str> = declared.chain(names(&undeclared, "name")).collect();
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../sys/operators.tsv")).unwrap();
    let rows: BTreeSet<&str> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(listed.len(), rows.len());
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), rows);
}

#[test]
fn an_operator_that_is_not_declared_is_told_as_such() {
    Shell::new().run("aclnn ops Rasterizer").is("ops/undeclared");
    let printed = Shell::new().run("aclnn ops --undeclared --find quantconvolution").out;
    assert!(
        printed.contains("QuantConvolutionWeightNz  ") && !printed.contains("QuantConvolution  "),
        "{printed}"
    );
}

#[test]
fn a_misspelt_operator_is_told_with_what_was_meant() {
    let printed = Shell::new().run("aclnn ops adcmul").is("ops/misspelt");
    assert_eq!(printed.code, Some(2));
    assert!(Shell::new().run("aclnn ops qqqqqq").err.contains("`aclnn ops` lists"));
}

#[test]
fn what_the_libraries_lack_is_marked() {
    let shell = Shell::new();
    let directory = shell.path("some");
    fs::create_dir(&directory).unwrap();
    libraries::build(
        &directory,
        "int aclInit(const char *path) { return 0; }
         int aclnnAddGetWorkspaceSize(void) { return 0; }
         int aclnnAdd(void) { return 0; }
         int aclnnRasterizerGetWorkspaceSize(void) { return 0; }
         int aclnnRasterizer(void) { return 0; }",
    );
    let shell = shell.with("ACLNN_BACKEND", "some");
    let json = shell.run("aclnn ops add --json").json();
    let present: Vec<&Value> =
        json[0]["forms"].as_array().unwrap().iter().map(|form| &form["present"]).collect();
    assert_eq!(present, [true, false, false, false]);
    let missing = shell.run("aclnn ops --missing --family arithmetic").out;
    assert!(
        missing.contains("Add Adds! InplaceAdd! InplaceAdds!")
            && missing.contains("are not in the libraries")
    );
    assert_eq!(shell.run("aclnn ops Rasterizer --json").json()["present"], true);
    // Without a usable library, the command still prints everything else.
    let nothing = Shell::new().with("ACLNN_BACKEND", "nowhere").run("aclnn ops add");
    assert!(nothing.code == Some(0) && nothing.out.contains("no libraries are in use"), "{}", nothing.out);
}
