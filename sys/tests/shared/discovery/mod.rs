//! Finding CANN among directories of libraries that say who they are.
//!
//! Every search runs in a process of its own: what one opens stays, and libraries of two directories do not meet.

#![allow(clippy::unwrap_used, clippy::panic)]

mod candidates;
mod places;
mod world;

use aclnn_sys::{Attempt, Environment, Library, NotFound, SymbolSource, Toolkit};
use std::{
    ffi::c_int,
    fs,
    path::{Path, PathBuf},
};
use world::{BEFORE, OPEN, RECORDED, REFUSE};

const FUNCTIONS: [&[&str]; 3] = [
    &["aclInit", "aclrtMalloc", "aclSetCompileopt"],
    &["aclCreateTensor"],
    &[
        "aclnnAdd",
        "aclnnBase",
        "aclnnNew",
        "aclnnOld",
        "aclnnOnlyInTheOldOne",
        "aclnnOwn",
        "aclnnVendor",
        "aclnnUnlisted",
    ],
];

/// The number of the library that has a function.
fn number(source: &dyn SymbolSource, name: &str) -> Option<c_int> {
    let address = source.symbol(name)?;
    // SAFETY: every function in these libraries has this type.
    let function = unsafe { std::mem::transmute::<std::ptr::NonNull<_>, extern "C" fn() -> c_int>(address) };
    Some(function())
}

/// Searches, and prints what it found.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn child() {
    let variable = std::env::var_os;
    // SAFETY: libraries made for this test.
    let _before = variable(BEFORE).map(|path| unsafe { Library::open(path) }.unwrap());
    let mut environment = Environment::of_process();
    // Nothing that is installed here.
    environment.default_roots.retain(|root| root.starts_with(variable("HOME").unwrap()));
    let recorded = variable(RECORDED).map(PathBuf::from);
    // SAFETY: as above.
    let found = unsafe {
        if let Some(path) = variable(OPEN) {
            Toolkit::open(Path::new(&path), &environment).map(tell)
        } else if let Some(count) = variable(REFUSE) {
            let mut left: u32 = count.to_str().unwrap().parse().unwrap();
            Toolkit::find_with(&environment, recorded.as_deref(), |toolkit| {
                let served = left.checked_sub(1).map_or(Ok(()), |less| {
                    left = less;
                    Err(format!("refused with aclInit {:?}", number(&*toolkit.runtime, "aclInit")))
                });
                served.map(|()| tell_all(toolkit))
            })
        } else {
            Toolkit::find(&environment, recorded.as_deref()).map(tell)
        }
    };
    if let Err(NotFound { tried }) = found {
        tell_tried(&tried);
    }
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut loaded: Vec<&str> = maps.lines().filter_map(|line| Some(&line[line.find('/')?..])).collect();
    loaded.dedup();
    loaded.iter().for_each(|path| println!("loaded: {path}"));
}

fn tell(toolkit: Toolkit) {
    tell_all(&toolkit);
}

fn tell_all(toolkit: &Toolkit) {
    println!("directory: {}", toolkit.directory.display());
    let sources = [("runtime", &toolkit.runtime), ("meta", &toolkit.meta), ("operators", &toolkit.operators)];
    for ((table, source), functions) in sources.into_iter().zip(FUNCTIONS) {
        for function in functions {
            if let Some(number) = number(&**source, function) {
                println!("{table}.{function}: {number}");
            }
        }
    }
    tell_tried(&toolkit.tried);
}

fn tell_tried(tried: &[Attempt]) {
    tried.iter().for_each(|attempt| println!("tried: {attempt}"));
}
