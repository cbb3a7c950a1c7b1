//! `run`, `cast` and `range`: results in files, against those that NumPy and ml_dtypes wrote (`cli/tests/data/make.py`).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use crate::shell::{Printed, Shell};

/// Runs a line among the arrays, with `OUT` for each new file, and compares these byte by byte with arrays.
fn gives(line: &str, expected: &[&str]) -> Printed {
    let shell = Shell::new().with_arrays();
    let (mut line, mut count) = (line.to_owned(), 0);
    while line.contains("OUT") {
        line = line.replacen("OUT", &format!("out{count}.npy"), 1);
        count += 1;
    }
    let printed = shell.run(&line);
    assert_eq!(printed.code, Some(0), "{line}: {}", printed.err);
    assert_eq!(count, expected.len(), "{line}");
    for (number, name) in expected.iter().enumerate() {
        let read = |file: String| fs::read(shell.path(&file)).unwrap();
        let (found, expected) = (read(format!("out{number}.npy")), read(format!("{name}.npy")));
        assert_eq!(found, expected, "{line}: {name}\n{}", printed.out);
    }
    printed
}

#[test]
fn operators_give_the_files_that_numpy_gives() {
    gives("aclnn run aclnnSub whole.npy whole.npy --attr alpha=3 --out OUT", &["scaled"]);
    gives("aclnn run Subs whole.npy 0 --out OUT", &["whole"]);
    gives("aclnn run mul brain.npy:bfloat16 2 --out OUT", &["brain_product"]);
    gives("aclnn run mul brain.npy 2 --in-dtype bf16 --out OUT", &["brain_product"]);
    gives("aclnn run maximum half.npy fortran.npy --out OUT", &["maximum"]);
    gives("aclnn run where truths.npy whole.npy 0:i32 --out OUT", &["chosen"]);
    gives("aclnn run sort whole.npy --attr descending=true --out OUT --out OUT", &["order", "positions"]);
    gives("aclnn run sum whole.npy --attr axes=0 --attr keep_dims=true --out OUT", &["total"]);
    gives("aclnn run cat whole.npy whole.npy --attr axis=1 --out OUT", &["joined"]);
    gives("aclnn run pad whole.npy --attr pads=1:0,0:2 --attr mode=9 --out OUT", &["padded"]);
    gives("aclnn run flip whole.npy --attr axes=-1 --out OUT", &["flipped"]);
    gives("aclnn run neg big_endian.npy --out OUT", &["negated"]);
    gives("aclnn run cast complex.npy --dtype c64 --out OUT", &["complex"]);
    gives("aclnn run arange 10 0 -3 --dtype i32 --out OUT", &["ramp"]);
    gives("aclnn run InplaceAdds whole.npy 0 --out OUT", &["whole"]);
}

#[test]
fn conversions_give_what_ml_dtypes_gives() {
    gives("aclnn cast special.npy OUT --to bf16", &["to_brain"]);
    gives("aclnn cast special.npy OUT --to f8e4m3fn --saturate false", &["to_e4m3"]);
    let printed = gives("aclnn cast special.npy OUT --to f8e4m3fn --onnx-opset 19", &["saturated"]);
    assert!(printed.out.contains("Cast-19: f32→f8e4m3fn on the host"), "{}", printed.out);
    gives("aclnn cast e5m2.npy OUT --to f32 --onnx-opset 25", &["from_e5m2"]);
    gives("aclnn cast int4.npy:i4 OUT --to i32 --onnx-opset 25", &["from_int4"]);
    gives("aclnn cast whole.npy OUT --to i4 --onnx-opset 25", &["to_int4"]);
}

#[test]
fn ranges_give_what_numpy_gives() {
    for definition in ["", "--onnx", "--openvino", "--openvino-library"] {
        gives(&format!("aclnn range 10 0 -3 --dtype i32 {definition} --out OUT"), &["ramp"]);
    }
    gives("aclnn range 0 2.5 0.5 --dtype bf16 --openvino --out OUT", &["steps"]);
    let error = Shell::new().run("aclnn range 0 1 0").err;
    assert!(error.contains("step"), "{error}");
}

#[test]
fn a_call_is_told_with_plan_and_summary() {
    gives("aclnn run add half.npy single.npy --out OUT", &["sum"]);
    let shell = Shell::new().with_arrays();
    shell.run("aclnn run add half.npy single.npy --out y.npy").is("run/add");
    shell.run("aclnn run sort whole.npy --attr descending=true").is("run/sort");
    shell.run("aclnn run add brain.npy 1").is("run/void");
    shell.run("aclnn run add half.npy").is("run/missing");
    shell.run("aclnn cast special.npy y.npy --to f8e4m3fn --onnx-opset 19").is("cast/onnx");
    shell.run("aclnn range 0 1 0.25 --onnx").is("range/onnx");
    let told = shell.run("aclnn run abs special.npy --json").json();
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
    let shell = Shell::new().with_arrays().with("CANN_STUBS_FAIL", "aclnnAdd=507015");
    shell.run("aclnn run Adds half.npy single.npy --plan --policy auto").is("run/plan");
    let text = shell.run("aclnn run mean whole.npy --plan --dtype f16").out;
    assert!(text.starts_with("plan       mean: ") && text.contains("f16"), "{text}");
}

#[test]
fn several_results_go_into_one_safetensors_file_and_come_back() {
    let shell = Shell::new();
    let same = |file: &str, array: &str| {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
        assert_eq!(fs::read(shell.path(file)).unwrap(), fs::read(format!("{data}{array}.npy")).unwrap());
    };
    let works = |line: &str| {
        let printed = shell.run(line);
        assert_eq!(printed.code, Some(0), "{line}: {}", printed.err);
    };
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/whole.npy"), shell.path("a.npy")).unwrap();
    works("aclnn run sort a.npy --attr descending=true --out all.safetensors");
    works("aclnn run copy all.safetensors:result0 --out a.npy");
    same("a.npy", "order");
    works("aclnn run copy all.safetensors:result1 --out a.npy");
    same("a.npy", "positions");
    let error = shell.run("aclnn run copy all.safetensors").err;
    assert!(error.contains("result0, result1"), "{error}");
    // Two results do not fit one .npy, and nothing is written then.
    let error = shell.run("aclnn run sort a.npy --out a.npy").err;
    assert!(error.contains("2 results for 1 file"), "{error}");
    same("a.npy", "positions");
    assert_eq!(fs::read_dir(shell.path("")).unwrap().count(), 2, "no file is left half written");
}

#[test]
fn what_cannot_be_called_is_refused_with_the_reason() {
    let shell = Shell::new().with_arrays();
    for (words, reason) in [
        ("aclnnRasterizer", "not declared here"),
        ("InplaceZero half.npy", "there is `zeros`"),
        ("topkk", "did you mean topk?"),
        ("add 2 half.npy", "rsub and rdiv"),
        (
            "add half.npy single.npy 1",
            "an operand too many\nit is called as: add self other [--attr alpha=…]",
        ),
        ("add half.npy 1 --attr beta=2", "no attribute beta"),
        ("add half.npy 1 --attr alpha", "NAME=VALUE"),
        ("leaky_relu half.npy", "--attr slope=…"),
        ("topk half.npy --attr k=two", "--attr k=two: it is an integer that is not negative"),
        ("nonzero half.npy --dtype f32", "no option --dtype"),
        ("add half.npy nothing.npy", "nothing.npy cannot be read"),
        ("add half.npy nothing", "neither a file (.npy, .safetensors) nor a number"),
        ("add half.npy 2:folat16", "did you mean float16"),
        ("add half.npy special.npy", "broadcast"),
        ("add half.npy single.npy --out y.txt", "neither .npy nor .safetensors"),
    ] {
        let printed = shell.run(&format!("aclnn run {words}"));
        assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""), "{words}");
        assert!(
            printed.err.starts_with("error: ") && printed.err.contains(reason),
            "{words}: {}",
            printed.err
        );
    }
}

/// A name of a file is bytes on Linux, and the tables of Latin-1 are no UTF-8.
#[test]
fn names_that_are_not_utf8_are_read_and_written() {
    let shell = Shell::new();
    let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/whole.npy");
    let name = |end: &[u8]| OsStr::from_bytes(&[&b"caf\xe9"[..], end].concat()).to_owned();
    let input = shell.path("").join(name(b".npy"));
    fs::copy(whole, &input).unwrap();
    for words in [
        vec!["run".into(), "copy".into(), name(b".npy:i32"), "--out".into(), name(b"-run.npy")],
        vec!["cast".into(), name(b".npy"), name(b"-run.npy"), "--to".into(), "i32".into(), "--json".into()],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aclnn"));
        command.args(&words).current_dir(shell.path("")).env("ACLNN_BACKEND", "emulator");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let written = shell.path("").join(name(b"-run.npy"));
        assert_eq!(fs::read(&written).unwrap(), fs::read(whole).unwrap());
        fs::remove_file(written).unwrap();
    }
}

#[test]
fn a_symbolic_link_stays_one_and_its_file_is_written() {
    let shell = Shell::new().with_arrays();
    fs::create_dir(shell.path("results")).unwrap();
    // One link leads to another, and that to a file which is not there yet.
    std::os::unix::fs::symlink("results/last.npy", shell.path("link.npy")).unwrap();
    std::os::unix::fs::symlink("link.npy", shell.path("other.npy")).unwrap();
    for line in ["aclnn run copy whole.npy --out other.npy", "aclnn run copy half.npy --out link.npy"] {
        let printed = shell.run(line);
        assert_eq!(printed.code, Some(0), "{}", printed.err);
        for link in ["link.npy", "other.npy"] {
            assert!(shell.path(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        }
        let array = line.split(' ').nth(3).unwrap();
        assert_eq!(fs::read(shell.path("results/last.npy")).unwrap(), fs::read(shell.path(array)).unwrap());
    }
    assert_eq!(fs::read_dir(shell.path("results")).unwrap().count(), 1, "nothing else is left");
}

/// Limits that NumPy has are told in short messages, whatever a file holds.
#[test]
fn messages_about_files_are_short() {
    let shell = Shell::new();
    let header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': (1,), }}", "z".repeat(9_000));
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    fs::write(shell.path("a.npy"), [&b"\x93NUMPY\x01\x00"[..], &length[..], header.as_bytes()].concat())
        .unwrap();
    let printed = shell.run("aclnn run abs a.npy");
    assert!(printed.code == Some(2) && printed.err.len() < 300, "{} bytes", printed.err.len());
}
