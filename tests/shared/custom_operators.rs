//! Operators of others, from a small C library that is built here, through the drop-in libraries.

use std::error::Error as StdError;
use std::process::Command;

use aclnn::{DType, Device, Error, Scalar, Stream, Tensor};

use crate::support;

aclnn::operator! {
    // As in tests/c/every_kind.c, which fills its outputs and touches nothing else.
    unsafe extern "aclnn" {
        /// The sum of all numbers and of the text's length.
        fn numbers = "aclnnNumbers"(
            a: i64, b: u64, c: i32, d: i8, e: int, f: bool, g: f32, h: f64, dtype: dtype, text: str, own: inout_const
        );
        /// A digit for the length of each list.
        fn lists = "aclnnLists"(
            ints: ints, floats: floats, bools: bools, scalars: scalars, scalar: scalar, tensors: tensors,
            outs: tensors_out, out: out
        );
        /// As `lists`, with unusual constness; before the digits stands the length of the text.
        fn consts = "aclnnConsts"(
            tensor: tensor_mut, scalar: scalar_mut, ints: ints_mut, floats: floats_mut, text: str_mut,
            tensors: tensors_mut, outs: tensors_out_const, changed: tensors_inout, kept: tensors_inout_const, out: out
        );
        /// A digit for each argument: 1 for null, 2 for an object.
        fn nulls = "aclnnNulls"(
            tensor: tensor_or_null, scalar: scalar_or_null, ints: ints_or_null, floats: floats_or_null,
            bools: bools_or_null, tensors: tensors_or_null, other: out_or_null, kept: out_const_or_null, out: out
        );
        /// Gives no executor.
        fn nothing = "aclnnNothing"(own: inout);
        /// Does not launch.
        fn stumble = "aclnnStumble"(own: out_const);
        /// Is in no library.
        fn absent = "aclnnAbsent"(own: tensor, out: out);
    }
}

type Outcome = Result<(), Box<dyn StdError>>;

/// Builds `libcust_opapi.so` of a C file, and gives the directory that names it.
fn library(source: &str) -> Result<tempfile::TempDir, Box<dyn StdError>> {
    let package = tempfile::tempdir()?;
    let directory = package.path().join("op_api/lib");
    std::fs::create_dir_all(&directory)?;
    let toolkit = support::toolkit();
    let compiled = Command::new("gcc")
        .args(["-shared", "-fPIC", "-std=c99", "-Wall", "-Wextra", "-Werror"])
        .arg(support::root().join(source))
        .arg("-I")
        .arg(toolkit.join("include"))
        .arg("-L")
        .arg(toolkit.join("lib64"))
        .args(["-lnnopbase", "-lopapi", "-o"])
        .arg(directory.join("libcust_opapi.so"))
        .output()?;
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Ok(package)
}

/// A program with the drop-in libraries and a package of custom operators.
fn with_library(mut command: Command, package: &tempfile::TempDir) -> Command {
    command.env("ACLNN_BACKEND", support::toolkit().join("lib64"));
    command.env("LD_LIBRARY_PATH", support::toolkit().join("lib64"));
    command.env("ASCEND_CUSTOM_OPP_PATH", package.path());
    command
}

#[test]
fn the_example_binds_an_operator() -> Outcome {
    let package = library("examples/10_custom_operator/blend.c")?;
    let source = support::root().join("examples/10_custom_operator/main.rs");
    support::prints_its_output(&source, &mut with_library(support::example("10_custom_operator"), &package));
    Ok(())
}

#[test]
fn every_kind_of_parameter_arrives() -> Outcome {
    let package = library("tests/c/every_kind.c")?;
    let child = with_library(support::alone(module_path!(), "in_a_process_with_the_library"), &package)
        .arg("--ignored")
        .env("CANN_STUBS_CHECK", "error")
        .output()?;
    let told = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success() && told.contains("1 passed"), "{told}");
    assert!(!told.contains("cann-stubs"), "{told}");
    Ok(())
}

/// The body of the test above.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn in_a_process_with_the_library() -> Result<(), Error> {
    let device = Device::open(0)?;
    let stream = device.stream();
    let mut out = Tensor::zeros(&device, [2], DType::F64)?;
    for round in 0..3 {
        numbers(&stream, -1000, 500, -30, 7, 200, true, 0.5, 0.25, DType::BF16, c"eleven", &mut out)?;
        // bf16 has the code 27.
        assert_eq!(out.to_vec::<f64>()?, [-288.25; 2], "round {round}");
    }

    let (a, b) = (Tensor::ones(&device, [3], DType::F32)?, Tensor::ones(&device, [1], DType::I8)?);
    let mut outs = [a.copy()?, b.copy()?, a.copy()?];
    let [x, y, z] = &mut outs;
    let scalars = [Scalar::from(1), Scalar::from(0.5)];
    lists(
        &stream,
        &[1, 2, 3],
        &[0.5],
        &[true, false],
        &scalars,
        7i64,
        &[&a, &b, &a, &a],
        &mut [x, y, z],
        &mut out,
    )?;
    assert_eq!(out.to_vec::<f64>()?, [312_243.0; 2]);
    let (text, tail) = (c"seven".to_owned(), a.slice(0, 2..3)?);
    let [u, v, w] = &mut [a.copy()?, b.copy()?, a.copy()?];
    consts(
        &stream,
        &tail,
        0.5,
        &[1, 2, 3],
        &[0.5, 1.5],
        &text,
        &[&a, &a, &a, &a],
        &mut [x],
        &mut [y, z],
        &mut [u, v, w],
        &mut out,
    )?;
    assert_eq!(out.to_vec::<f64>()?, [521_324_123.0; 2]);
    assert_eq!(text, c"seven".to_owned(), "the operator wrote to its own copy");
    for (tensor, digits) in [(None, 11_211_111.0), (Some(&a), 21_211_111.0), (None, 11_211_111.0)] {
        nulls(&stream, tensor, None, Some(&[]), None, None, None, None, None, &mut out)?;
        assert_eq!(out.to_vec::<f64>()?, [digits; 2]);
    }
    for (scalar, digits) in
        [(None, 11_111_111.0), (Some(Scalar::from(1)), 12_111_111.0), (None, 11_111_111.0)]
    {
        nulls(&stream, None, scalar, None, None, None, None, None, None, &mut out)?;
        assert_eq!(out.to_vec::<f64>()?, [digits; 2]);
    }
    let (mut other, mut kept) = (a.copy()?, a.copy()?);
    let (floats, bools, tensors) = (Some(&[][..]), Some(&[][..]), Some(&[&a][..]));
    nulls(&stream, None, None, None, floats, bools, tensors, Some(&mut other), Some(&mut kept), &mut out)?;
    assert_eq!(out.to_vec::<f64>()?, [11_122_222.0; 2]);
    lists(&stream, &[], &[], &[], &[], 7i64, &[], &mut [], &mut out)?;
    assert_eq!(out.to_vec::<f64>()?, [0.0; 2]);

    // Refused before the operator sees it.
    let mut spread = out.select(0, 0)?.broadcast_to([3])?;
    let error = nothing(&stream, &mut spread).unwrap_err();
    assert!(matches!(error, Error::SharedElements { operator: "aclnnNothing", .. }), "{error}");
    let row = Tensor::zeros(&device, [3], DType::F32)?;
    let error = {
        let mut tail = row.slice(0, 1..3)?;
        lists(&stream, &[], &[], &[], &[], 7i64, &[&row.slice(0, 0..2)?], &mut [], &mut tail).unwrap_err()
    };
    assert!(matches!(error, Error::Overlap { output: "out", name: "tensors", .. }), "{error}");
    let error = {
        let (mut head, mut tail) = (row.slice(0, 0..2)?, row.slice(0, 1..3)?);
        lists(&stream, &[], &[], &[], &[], 7i64, &[], &mut [&mut head, &mut tail], &mut out).unwrap_err()
    };
    assert!(matches!(error, Error::Overlap { output: "outs", name: "outs", .. }), "{error}");

    let (mut first, mut second) = (row.clone(), row.clone());
    let error = lists(&stream, &[], &[], &[], &[], 7i64, &[], &mut [&mut first], &mut second).unwrap_err();
    assert!(
        matches!(error, Error::SharedElements { output: "out", .. }),
        "one result would be lost: {error}"
    );

    let error = nothing(&stream, &mut out).unwrap_err();
    assert!(error.to_string().contains("aclnnNothingGetWorkspaceSize returned null"), "{error}");
    let error = stumble(&stream, &mut out).unwrap_err();
    assert_eq!(error.code(), Some(361_001), "{error}");
    assert!(
        error.to_string().starts_with("aclnnStumble(own f64[2]): aclnnStumble returned 361001"),
        "{error}"
    );
    assert_eq!(out.to_vec::<f64>()?, [0.0; 2]);
    Ok(())
}

#[test]
fn what_no_operator_takes_is_refused() -> Result<(), Error> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let a = Tensor::zeros(&device, [4], DType::F32)?;
    let mut out = Tensor::zeros(&device, [4], DType::F32)?;
    let missing = absent(&stream, &a, &mut out).unwrap_err();
    assert!(
        matches!(&missing, Error::MissingSymbol(missing) if missing.symbol == "aclnnAbsentGetWorkspaceSize")
    );
    Ok(())
}
