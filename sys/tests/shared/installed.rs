//! Bindings made from the headers of a toolkit, which are those of this crate: `cargo xtask headers` lays them out, and
//! `ACLNN_CANN_PATH` names the directory when the crate is built with the feature `bindgen`.

#![allow(clippy::unwrap_used, clippy::panic)]

use aclnn_sys::{Collectives, Meta, Runtime, Symbol, SymbolList, installed, operators::published};
use std::collections::{BTreeMap, BTreeSet};

/// The output of the build script, without blanks.
fn written() -> String {
    include_str!(concat!(env!("OUT_DIR"), "/installed.rs")).split_whitespace().collect()
}

#[test]
fn every_function_of_the_headers_is_in_the_table() {
    let functions: BTreeSet<&str> = installed::Functions::SYMBOLS.iter().copied().collect();
    assert_eq!(functions.len(), installed::Functions::SYMBOLS.len());
    let known = Runtime::SYMBOLS.iter().chain(Meta::SYMBOLS).chain(Collectives::SYMBOLS);
    let known = known.map(|name| (*name).to_owned());
    let operators = published().filter(|operator| operator.header.is_some()).flat_map(|operator| {
        let has_plan = operator.is_pair && operator.parameters().is_some();
        let plan = has_plan.then(|| format!("aclnn{}GetWorkspaceSize", operator.name));
        let is_declared = operator.is_pair || operator.parameters().is_some();
        plan.into_iter().chain(is_declared.then(|| format!("aclnn{}", operator.name)))
    });
    let expected: BTreeSet<String> = known.chain(operators).collect();
    let missing: Vec<_> = expected.iter().filter(|name| !functions.contains(name.as_str())).collect();
    let others: Vec<_> = functions.iter().filter(|name| !expected.contains(**name)).collect();
    assert!(missing.is_empty() && others.is_empty(), "missing: {missing:?}, not expected: {others:?}");
    assert!(functions.len() > 2000);
}

/// The values are those of the facts, which the other bindings are compared with too.
#[test]
fn every_constant_of_the_headers_has_its_value() {
    let text = written();
    let constants: BTreeMap<&str, &str> = text
        .split("pubconst")
        .skip(1)
        .filter_map(|constant| {
            let (name, rest) = constant.split_once(':')?;
            let value = rest.split_once('=')?.1.split_once(';')?.0;
            let value = value.split_once('(').map_or(value, |(_, inside)| inside.trim_end_matches(')'));
            Some((name, value.trim_end_matches(|letter: char| letter.is_alphabetic() || letter == '_')))
        })
        .collect();
    let facts = include_str!("../data/constants.txt").lines().map(|line| line.split_once(' ').unwrap());
    let mut compared = 0;
    for (name, value) in facts {
        let found = constants.get(name).unwrap_or_else(|| panic!("{name} is missing"));
        let number = |text: &str| text.parse::<i128>().unwrap_or_else(|_| panic!("{name}: {text}"));
        assert_eq!(number(found), number(value), "{name}");
        compared += 1;
    }
    assert!(compared > 500);
}

#[test]
fn structures_lie_as_in_the_other_bindings() {
    macro_rules! same {
        ($($name:ident)*) => {$(
            assert_eq!(
                (size_of::<installed::$name>(), align_of::<installed::$name>()),
                (size_of::<aclnn_sys::$name>(), align_of::<aclnn_sys::$name>()),
                stringify!($name)
            );
        )*};
    }
    same! {
        aclrtMemLocation aclrtPhysicalMemProp aclrtMallocConfig aclrtPtrAttributes aclrtMemUsageInfo aclrtErrorInfo
        aclrtStreamAttrValue aclrtLaunchKernelCfg aclrtIpcEventHandle aclmdlRICondTaskParams aclmdlIODims
        aclCANNPackageVersion
    }
}

/// Functions that the crate does not declare itself are called with its own handles.
#[test]
fn an_operator_that_nobody_declared_is_called() {
    unsafe extern "C" fn plan(
        x: *const aclnn_sys::aclTensor,
        _gamma: *const aclnn_sys::aclTensor,
        epsilon: f64,
        _y: *const aclnn_sys::aclTensor,
        _rstd: *const aclnn_sys::aclTensor,
        size: *mut u64,
        _executor: *mut *mut aclnn_sys::aclOpExecutor,
    ) -> aclnn_sys::aclnnStatus {
        // SAFETY: the test passes a place to write to.
        unsafe { *size = x.addr() as u64 + epsilon as u64 };
        7
    }
    let _: installed::pfn::aclnnRmsNormGetWorkspaceSize = plan;
    // SAFETY: it has the prototype of its name.
    let symbol = unsafe { Symbol::new("aclnnRmsNormGetWorkspaceSize", plan as *const ()) };
    let functions = installed::Functions::load(&SymbolList::new("a list", [symbol]));
    let mut size = 0;
    let null = std::ptr::null();
    // SAFETY: the function above ignores what it is passed, but for `size`.
    let (code, missing) = unsafe {
        let code = functions.aclnnRmsNormGetWorkspaceSize(
            std::ptr::without_provenance(40),
            null,
            2.0,
            null,
            null,
            &mut size,
            std::ptr::null_mut(),
        );
        (code, functions.aclInit(null.cast()).unwrap_err())
    };
    assert_eq!((code, size), (Ok(7), 42));
    assert_eq!((missing.symbol, missing.library.as_str()), ("aclInit", "a list"));
}
