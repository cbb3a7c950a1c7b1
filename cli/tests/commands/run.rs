//! `run`, `cast` and `range`: results in files, against those that NumPy and ml_dtypes wrote (`tests/data/make.py`).

use std::fs;

use serde_json::Value;

use super::{aclnn, data, printed, refused};

/// Runs a command line in the folder of the data, with `OUT…` for new files, and compares these byte by byte.
fn gives(line: &str, expected: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut outs = Vec::new();
    let words = line.split_whitespace().map(|word| match word.strip_prefix("OUT") {
        Some(_) => {
            let path = folder.path().join(format!("{}.npy", outs.len()));
            outs.push(path.clone());
            path.into_os_string()
        }
        None => word.into(),
    });
    let words: Vec<_> = words.collect();
    let text = printed(aclnn().current_dir(data("")).args(words));
    assert_eq!(outs.len(), expected.len(), "{line}");
    for (out, name) in outs.iter().zip(expected) {
        let (found, expected) = (fs::read(out).unwrap(), fs::read(data(&format!("{name}.npy"))).unwrap());
        assert_eq!(found, expected, "{line}: {name}\n{text}");
    }
    text
}

#[test]
fn operators_give_the_files_that_numpy_gives() {
    let text = gives("run add half.npy single.npy --out OUT", &["sum"]);
    assert!(
        text.starts_with(
            "plan       add: Cast self f16→f32; Add f32 → f32 [2, 3]\nresult     f32[2, 3], min "
        ),
        "{text}"
    );
    gives("run aclnnSub whole.npy whole.npy --attr alpha=3 --out OUT", &["scaled"]);
    gives("run Subs whole.npy 0 --out OUT", &["whole"]);
    gives("run mul brain.npy:bf16 2 --out OUT", &["brain_product"]);
    gives("run mul brain.npy 2 --in-dtype bf16 --out OUT", &["brain_product"]);
    gives("run maximum half.npy fortran.npy --out OUT", &["maximum"]);
    gives("run where truths.npy whole.npy 0:i32 --out OUT", &["chosen"]);
    gives("run sort whole.npy --attr descending=true --out OUT --out OUT", &["order", "positions"]);
    gives("run sum whole.npy --attr axes=0 --attr keep_dims=true --out OUT", &["total"]);
    gives("run cat whole.npy whole.npy --attr axis=1 --out OUT", &["joined"]);
    gives("run pad whole.npy --attr pads=1:0,0:2 --attr mode=9 --out OUT", &["padded"]);
    gives("run flip whole.npy --attr axes=-1 --out OUT", &["flipped"]);
    gives("run neg big_endian.npy --out OUT", &["negated"]);
    gives("run cast complex.npy --dtype c64 --out OUT", &["complex"]);
    gives("run arange 10 0 -3 --dtype i32 --out OUT", &["ramp"]);
    gives("run InplaceAdds whole.npy 0 --out OUT", &["whole"]);
}

#[test]
fn conversions_give_what_ml_dtypes_gives() {
    gives("cast special.npy OUT --to bf16", &["to_brain"]);
    gives("cast special.npy OUT --to f8e4m3fn --saturate false", &["to_e4m3"]);
    let text = gives("cast special.npy OUT --to f8e4m3fn --onnx-opset 19", &["saturated"]);
    assert!(text.contains("Cast-19: f32→f8e4m3fn on the host"), "{text}");
    gives("cast e5m2.npy OUT --to f32 --onnx-opset 25", &["from_e5m2"]);
    gives("cast int4.npy:i4 OUT --to i32 --onnx-opset 25", &["from_int4"]);
    gives("cast whole.npy OUT --to i4 --onnx-opset 25", &["to_int4"]);
    let text =
        refused(aclnn().current_dir(data("")).args(["cast", "brain.npy", "/nowhere/y.npy", "--to", "f32"]));
    assert!(
        text.contains("`<V2` stands for 2 bytes, as ml_dtypes writes bf16") && text.contains("a.npy:bf16"),
        "{text}"
    );
}

#[test]
fn ranges_give_what_numpy_gives() {
    for definition in ["", "--onnx", "--openvino", "--openvino-library"] {
        gives(&format!("range 10 0 -3 --dtype i32 {definition} --out OUT"), &["ramp"]);
    }
    gives("range 0 2.5 0.5 --dtype bf16 --openvino --out OUT", &["steps"]);
    let text = printed(aclnn().args(["range", "0", "1", "0.5", "--onnx"]));
    assert!(text.starts_with("plan       Range-11: 2 × f32 by Arange on the device\n"), "{text}");
    let error = refused(aclnn().args(["range", "0", "1", "0"]));
    assert!(error.contains("step"), "{error}");
}

#[test]
fn several_results_go_into_one_safetensors_file_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (all, one) = (at("all.safetensors"), at("values.npy"));
    printed(aclnn().current_dir(data("")).args([
        "run",
        "sort",
        "whole.npy",
        "--attr",
        "descending=true",
        "--out",
        &all,
    ]));
    printed(aclnn().args(["run", "copy", &format!("{all}:result0"), "--out", &one]));
    assert_eq!(fs::read(&one).unwrap(), fs::read(data("order.npy")).unwrap());
    let error = refused(aclnn().args(["run", "copy", &all]));
    assert!(error.contains("result0, result1"), "{error}");
    // A result may replace an operand; two results do not fit one .npy, and nothing is written then.
    printed(aclnn().args(["run", "neg", &one, "--out", &one]));
    let negated = fs::read(&one).unwrap();
    let error = refused(aclnn().args(["run", "sort", &one, "--out", &one]));
    assert!(error.contains("2 results for 1 file"), "{error}");
    assert_eq!(fs::read(&one).unwrap(), negated);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no file is left half written");
}

#[test]
fn a_result_is_told_as_json() {
    let text = printed(aclnn().current_dir(data("")).args(["run", "abs", "special.npy", "--json"]));
    let told: Value = serde_json::from_str(&text).unwrap();
    let result = &told["results"][0];
    assert_eq!(
        (&told["operator"], &result["dtype"], &result["nan"]),
        (&"abs".into(), &"f32".into(), &1.into())
    );
    assert_eq!((&result["max"], &result["shape"][0]), (&"inf".into(), &8.into()));
    assert!(told["plan"].as_str().unwrap().starts_with("abs: Abs f32"), "{told}");
}

#[test]
fn a_plan_launches_nothing() {
    let run = |words: &[&str]| printed(aclnn().current_dir(data("")).arg("run").args(words));
    let text = run(&["Adds", "half.npy", "single.npy", "--plan", "--policy", "auto"]);
    assert_eq!(
        text,
        "plan       add: Add f16, f32 → f32 [2, 3] (auto: delegated, the library casts alike)\n\
         note       these operands are computed by another form than Adds; the plan names it\n"
    );
    let text = run(&["mean", "whole.npy", "--plan", "--dtype", "f16"]);
    assert!(text.contains("mean: ") && text.contains("f16"), "{text}");
}

#[test]
fn what_cannot_be_called_is_refused_with_the_reason() {
    let refuse = |words: &[&str]| refused(aclnn().current_dir(data("")).arg("run").args(words));
    for (words, reason) in [
        (&["aclnnRmsNorm"][..], "not declared here"),
        (&["InplaceZero", "half.npy"], "there is zeros"),
        (&["topkk"], "there is topk"),
        (&["add", "half.npy"], "the operand other is missing"),
        (&["add", "2", "half.npy"], "rsub and rdiv"),
        (
            &["add", "half.npy", "single.npy", "1"],
            "an operand too many\nit is called as: add self other [--attr alpha=…]",
        ),
        (&["add", "half.npy", "1", "--attr", "beta=2"], "no attribute beta"),
        (&["add", "half.npy", "1", "--attr", "alpha"], "NAME=VALUE"),
        (&["leaky_relu", "half.npy"], "--attr slope=…"),
        (&["topk", "half.npy", "--attr", "k=two"], "--attr k=two: it is an integer that is not negative"),
        (&["nonzero", "half.npy", "--dtype", "f32"], "no option --dtype"),
        (&["add", "half.npy", "nothing.npy"], "nothing.npy cannot be read"),
        (&["add", "half.npy", "nothing"], "neither a file (.npy, .safetensors) nor a number"),
        (&["add", "half.npy", "special.npy"], "broadcast"),
        (&["add", "brain.npy", "1"], "a.npy:bf16"),
    ] {
        let error = refuse(words);
        assert!(error.starts_with("error: ") && error.contains(reason), "{words:?}: {error}");
    }
}
