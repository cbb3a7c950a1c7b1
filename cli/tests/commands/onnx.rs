//! `onnx`: models that the package onnx wrote, with results of NumPy (`cli/tests/models/make.py`).

use std::fs;
use std::path::Path;

use crate::shell::{Printed, Shell};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models");

/// Returns a shell in a copy of the models.
fn shell() -> Shell {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let target = to.join(path.file_name().unwrap());
            match path.is_dir() {
                true => copy(&path, &target),
                false => _ = fs::copy(&path, &target).unwrap(),
            }
        }
    }
    let shell = Shell::new();
    copy(Path::new(MODELS), &shell.path(""));
    shell
}

/// Runs a line that writes to the folder `out`, and compares the files there with arrays, byte by byte.
fn gives(line: &str, expected: &[(&str, &str)]) -> Printed {
    let shell = shell();
    let printed = shell.run(line);
    assert_eq!(printed.code, Some(0), "{line}: {}", printed.err);
    for (file, array) in expected {
        let read = |file: &str| fs::read(shell.path(file)).unwrap();
        assert_eq!(read(&format!("out/{file}")), read(array), "{line}: {file}\n{}", printed.out);
    }
    assert_eq!(fs::read_dir(shell.path("out")).unwrap().count(), expected.len(), "{line}");
    printed
}

#[test]
fn each_command_of_models_has_help_with_examples() {
    for (line, name) in [
        ("aclnn onnx info --help", "onnx/help_info"),
        ("aclnn onnx run --help", "onnx/help_run"),
        ("aclnn onnx test --help", "onnx/help_test"),
    ] {
        let help = Shell::new().run(line).is(name);
        assert!(help.out.contains("Examples:\n  aclnn onnx "), "{}", help.out);
    }
}

#[test]
fn models_are_described() {
    shell().run("aclnn onnx info affine.onnx").is("onnx/info");
    shell().run("aclnn onnx info unknown.onnx").is("onnx/info_not_supported");
    let told = shell().run("aclnn onnx info affine.onnx --json").json();
    assert_eq!(told["inputs"][0]["type"], "f32[rows, 3]");
    assert_eq!((&told["weights"], &told["weight_bytes"], &told["nodes"]), (&2.into(), &24.into(), &3.into()));
    assert_eq!((&told["operators"][1]["name"], &told["operators"][1]["nodes"]), (&"Mul".into(), &1.into()));
    assert!(told["error"].is_null(), "{told}");
    let told = shell().run("aclnn onnx info unknown.onnx --json").json();
    let wavelet = &told["operators"][1];
    assert_eq!((&wavelet["name"], &wavelet["nodes"]), (&"com.example.Wavelet".into(), &2.into()));
    assert!(wavelet["since"].is_null() && wavelet["missing"].is_string(), "{told}");
}

#[test]
fn models_give_what_numpy_gives() {
    gives(
        "aclnn onnx run affine.onnx --input x=x.npy --output out",
        &[("y.npy", "y.npy"), ("out_shape_0.npy", "shape.npy")],
    );
    gives(
        "aclnn onnx run affine.onnx --input x=ones:[2,3] --output out",
        &[("y.npy", "ones_y.npy"), ("out_shape_0.npy", "shape.npy")],
    );
    gives("aclnn onnx run widen.onnx --input brain=brain.npy --output out", &[("wide.npy", "wide.npy")]);
    gives("aclnn onnx run widen.onnx --input brain=brain.npy:bf16 --output out", &[("wide.npy", "wide.npy")]);
    gives(
        "aclnn onnx run list.onnx --input list=list.pb --output out",
        &[("same.0.npy", "x.npy"), ("same.1.npy", "shift.npy")],
    );
    gives(
        "aclnn onnx run affine.onnx --input x=cases/right/test_data_set_0/input_0.pb --output out",
        &[("y.npy", "y.npy"), ("out_shape_0.npy", "shape.npy")],
    );
}

#[test]
fn a_run_tells_of_its_outputs() {
    shell().run("aclnn onnx run affine.onnx --input x=x.npy --output out").is("onnx/run");
    shell().run("aclnn onnx run text.onnx --input text=text.pb").is("onnx/run_strings");
    let told = shell().run("aclnn onnx run affine.onnx --input x=x.npy --json").json();
    assert_eq!((&told["outputs"][0]["name"], &told["outputs"][0]["max"]), (&"y".into(), &8.0.into()));
    assert!(told["times"].is_null(), "{told}");
}

#[test]
fn repeated_runs_are_measured() {
    let line = "aclnn onnx run affine.onnx --input x=random:f32[64,3] --repeat 4";
    let told = shell().run(&format!("{line} --json")).json();
    let [shortest, median] = ["shortest", "median"].map(|name| told["times"][name].as_f64().unwrap());
    assert!(shortest > 0.0 && shortest <= median && told["times"]["runs"] == 4, "{told}");
    // Random floats lie between 0 and 1, and are the same each time.
    let (min, max) =
        (told["outputs"][0]["min"].as_f64().unwrap(), told["outputs"][0]["max"].as_f64().unwrap());
    assert!((0.25..=8.0).contains(&min) && (0.25..=8.0).contains(&max), "{told}");
    let printed = shell().run(line);
    assert!(
        printed.out.contains("\ntime       shortest ") && printed.out.contains(" of 4 runs\n"),
        "{}",
        printed.out
    );
    assert_eq!(shell().run(&format!("{line} --json")).json()["outputs"], told["outputs"]);
}

#[test]
fn inputs_that_are_left_out_are_told_with_a_way_to_give_them() {
    shell().run("aclnn onnx run affine.onnx").is("onnx/run_without_inputs");
    shell().run("aclnn onnx run text.onnx").is("onnx/run_without_strings");
    for (words, reason) in [
        ("nothing.onnx", "nothing.onnx"),
        ("x.npy", "x.npy: file: it is not an ONNX model"),
        ("affine.onnx --input x", "write NAME=VALUE"),
        ("affine.onnx --input X=x.npy", "no input X, only x"),
        ("affine.onnx --input x=x.npy --input x=x.npy", "--input x is given twice"),
        ("affine.onnx --input x=nothing.npy", "--input x=nothing.npy: nothing.npy cannot be read"),
        ("affine.onnx --input x=nothing.pb", "cannot read nothing.pb"),
        (
            "affine.onnx --input x=affine.onnx",
            "neither a file (.npy, .safetensors, .pb) nor random, zeros or ones",
        ),
        ("affine.onnx --input x=random", "the model leaves sizes open; write them as in f32[2,3]"),
        ("affine.onnx --input x=random:f32[2,", "a bracket is not closed"),
        ("affine.onnx --input x=random:f32[2,b]", "b is not the size of an axis"),
        ("affine.onnx --input x=random:f32[99999999999,99999999999]", "too many elements"),
        ("affine.onnx --input x=random:folat16[2,3]", "did you mean float16"),
        ("affine.onnx --input x=shape.npy", "input `x`: it is i64[2], and the model takes f32[rows, 3]"),
        ("affine.onnx --input x=zeros:[2,4]", "input `x`: it is f32[2, 4], and the model takes f32[rows, 3]"),
        ("unknown.onnx --input a=x.npy", "com.example.Wavelet `ripples` is not supported"),
        ("text.onnx --input text=text.pb --output out", "output same: it holds strings"),
        ("affine.onnx --input x=x.npy --repeat 0", "invalid value '0' for '--repeat <N>'"),
    ] {
        let shell = shell();
        let printed = shell.run(&format!("aclnn onnx run {words}"));
        assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""), "{words}");
        assert!(
            printed.err.starts_with("error: ") && printed.err.contains(reason),
            "{words}: {}",
            printed.err
        );
        assert!(!shell.path("out").exists(), "{words}");
    }
}

#[test]
fn cases_are_tested_and_failures_told() {
    let shell = shell();
    shell.run("aclnn onnx test cases").is("onnx/test");
    let printed = shell.run("aclnn onnx test cases/right cases/loose cases/more --junit junit.xml");
    assert_eq!(printed.code, Some(0), "{}", printed.out);
    assert_eq!(printed.out.lines().last(), Some("4 passed, 0 failed, 1 not supported"));
    let text = fs::read_to_string(shell.path("junit.xml")).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!(
        [suite.attribute("tests"), suite.attribute("failures"), suite.attribute("skipped")],
        [Some("5"), Some("0"), Some("1")]
    );
    let told = shell.run("aclnn onnx test cases --json").json();
    assert_eq!([&told["passed"], &told["failed"], &told["not_supported"]], [4, 1, 1]);
    let wrong = told["cases"].as_array().unwrap().iter().find(|case| case["name"] == "wrong").unwrap();
    assert_eq!((&wrong["outcome"], &wrong["folder"]), (&"failed".into(), &"cases/wrong".into()));
}

#[test]
fn work_that_fails_costs_its_case_alone() {
    let printed = shell().run("aclnn onnx test broken");
    assert!(printed.out.starts_with("failed         a_beyond  "), "{}", printed.out);
    assert!(printed.out.ends_with("\n1 passed, 1 failed, 0 not supported\n"), "{}", printed.out);
}

/// Data sets are run in the order of their numbers, and all of them.
#[test]
fn what_cannot_be_tested_is_told() {
    let shell = shell();
    let printed = shell.run("aclnn onnx test cases/wrong");
    assert!(printed.out.contains("(test_data_set_9)") && printed.code == Some(1), "{}", printed.out);
    fs::create_dir(shell.path("empty")).unwrap();
    for (words, reason) in [
        ("empty", "no folder in it holds a model.onnx"),
        ("nothing", "cannot read nothing"),
        ("", "required arguments were not provided"),
    ] {
        let printed = shell.run(&format!("aclnn onnx test {words}"));
        assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""), "{words}");
        assert!(printed.err.contains(reason), "{words}: {}", printed.err);
    }
    fs::write(shell.path("cases/loose/tolerance.txt"), "rtol ten\n").unwrap();
    let printed = shell.run("aclnn onnx test cases");
    assert!(printed.code == Some(2) && printed.err.contains("\"ten\" is not a tolerance"), "{}", printed.err);
    fs::write(shell.path("cases/more/steps/carried.txt"), "after behind\n").unwrap();
    let printed = shell.run("aclnn onnx test cases/more/steps");
    let reason = "cannot read carried.txt: \"after behind\" does not name an output and an input";
    assert!(printed.code == Some(1) && printed.out.contains(reason), "{}", printed.out);
    fs::remove_dir_all(shell.path("cases/right/test_data_set_0")).unwrap();
    fs::remove_dir_all(shell.path("cases/right/test_data_set_1")).unwrap();
    let printed = shell.run("aclnn onnx test cases/right");
    assert!(
        printed.code == Some(1) && printed.out.contains("it holds no test_data_set_*"),
        "{}",
        printed.out
    );
}

#[test]
fn a_run_tells_its_plan_and_draws_its_time() {
    let shell = shell();
    shell.run("aclnn onnx run affine.onnx --input x=x.npy --plan").is("onnx/plan");
    let printed = shell.run("aclnn onnx run affine.onnx --input x=x.npy --profile time.svg");
    assert!(printed.out.ends_with("written    time.svg\n"), "{}", printed.out);
    let chart = fs::read_to_string(shell.path("time.svg")).unwrap();
    let document = roxmltree::Document::parse(&chart).unwrap();
    let titles: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text()?.split(':').next())
        .collect();
    assert!(titles.contains(&"Mul") && titles.contains(&"Add"), "{titles:?}");
}
