//! Where a toolkit is looked for, in which order, and which of its libraries has a function.

use aclnn_sys::NotFound;
use std::{fs, os::unix::fs::symlink};

use super::world::{OPEN, RECORDED, World};

#[test]
fn places_are_looked_at_in_order() {
    let world = World::new();
    let places = ["explicit", "home", "toolkit", "linker", "home of the user/Ascend/cann", "recorded"];
    let numbers = places.map(|place| world.toolkit(place, "libopapi.so").map(Some));
    let path = |place: &str| world.path(place);
    let mut variables = vec![
        (RECORDED, path("recorded")),
        ("LD_LIBRARY_PATH", path("linker/lib64")),
        ("ASCEND_TOOLKIT_HOME", path("toolkit")),
        ("ASCEND_HOME_PATH", path("home")),
        ("ACLNN_CANN_PATH", path("explicit")),
    ];
    for numbers in &numbers[..4] {
        assert_eq!(world.search(&variables).numbers(), *numbers);
        variables.pop();
    }
    assert_eq!(world.search(&variables).numbers(), numbers[4]);
    fs::remove_dir_all(path("home of the user")).unwrap();
    assert_eq!(world.search(&variables).numbers(), numbers[5]);
}

#[test]
fn a_directory_of_libraries_serves_as_a_root() {
    let world = World::new();
    let numbers = world.toolkit("cann", "libopapi.so").map(Some);
    for path in ["cann", "cann/lib64"] {
        let found = world.search(&[(OPEN, world.path(path))]);
        assert_eq!(found.numbers(), numbers);
        assert_eq!(found.directory, "cann/lib64");
    }
}

#[test]
fn functions_are_taken_from_the_first_library_that_has_them() {
    let world = World::new();
    let [old, ..] = world.toolkit("cann", "libopapi_nn.so");
    let new = world.library("cann/lib64/libacl_rt.so", &["aclrtMalloc"]);
    let compiler = world.library("cann/lib64/libacl_op_compiler.so", &["aclSetCompileopt", "aclrtMalloc"]);
    let math = world.library("cann/lib64/libopapi_math.so", &["aclnnAdd"]);
    let infer = world.library("cann/lib64/libaclnn_ops_infer.so", &["aclnnAdd", "aclnnOld"]);
    let found = world.search(&[(OPEN, world.path("cann"))]);

    assert_eq!(found.number("runtime.aclrtMalloc"), Some(new));
    assert_eq!(found.number("runtime.aclInit"), Some(old));
    assert_eq!(found.number("runtime.aclSetCompileopt"), Some(compiler));
    assert_eq!(found.number("operators.aclnnAdd"), Some(math));
    assert_eq!(found.number("operators.aclnnOld"), Some(infer));
}

#[test]
fn single_and_split_operator_libraries_are_not_mixed() {
    let world = World::new();
    world.toolkit("cann", "libopapi_math.so");
    let other = world.library("cann/lib64/libopapi_added_later.so", &["aclnnNew"]);
    world.library("cann/lib64/libopapi.so", &["aclnnAdd", "aclnnOnlyInTheOldOne"]);
    let found = world.search(&[(OPEN, world.path("cann"))]);

    assert_eq!(found.number("operators.aclnnOnlyInTheOldOne"), None);
    assert_eq!(found.number("operators.aclnnNew"), Some(other));
    assert!(!found.tried.iter().any(|attempt| attempt.contains("libopapi.so")));
}

#[test]
fn custom_operators_come_first() {
    let world = World::new();
    world.toolkit("cann", "libopapi.so");
    let library = "op_api/lib/libcust_opapi.so";
    let own = world.library(&format!("own/{library}"), &["aclnnOwn"]);
    let second = world.library(&format!("opp/vendors/second/{library}"), &["aclnnOwn", "aclnnVendor"]);
    let first = world.library(&format!("opp/vendors/first/{library}"), &["aclnnVendor", "aclnnAdd"]);
    let _unlisted = world.library(&format!("opp/vendors/unlisted/{library}"), &["aclnnUnlisted"]);
    fs::write(world.path("opp/vendors/config.ini"), "load_priority=first, second\n").unwrap();
    let custom = std::env::join_paths([world.path("not installed"), world.path("own")]).unwrap();
    let opp = world.path("opp").into_os_string();
    let mut variables = vec![
        (OPEN, world.path("cann").into_os_string()),
        ("ASCEND_OPP_PATH", opp),
        ("ASCEND_CUSTOM_OPP_PATH", custom),
    ];
    let numbers = |variables: &[_]| {
        let found = world.search(variables);
        ["aclnnOwn", "aclnnVendor", "aclnnAdd", "aclnnUnlisted"]
            .map(|name| found.number(&format!("operators.{name}")))
    };

    assert_eq!(numbers(&variables), [Some(own), Some(first), Some(first), None]);
    variables.pop();
    assert_eq!(numbers(&variables), [Some(second), Some(first), Some(first), None]);
}

#[test]
fn one_library_serves_under_many_names() {
    let world = World::new();
    let one = world.library("cann/lib64/libstubs.so", &["aclInit", "aclCreateTensor", "aclnnAdd"]);
    for name in ["libascendcl.so", "libacl_rt.so", "libnnopbase.so", "libopapi.so", "libopapi_math.so"] {
        symlink("libstubs.so", world.path(&format!("cann/lib64/{name}"))).unwrap();
    }
    assert_eq!(world.search(&[(OPEN, world.path("cann"))]).numbers(), [Some(one); 3]);
}

#[test]
fn what_was_tried_is_told() {
    let world = World::new();
    world.library("half/lib64/libascendcl.so", &["aclInit"]);
    world.toolkit("broken", "libopapi.so");
    fs::write(world.path("broken/lib64/libnnopbase.so"), "no library at all").unwrap();
    world.toolkit("whole", "libopapi.so");
    let mut variables = vec![
        ("ACLNN_CANN_PATH", world.path("gone")),
        ("ASCEND_HOME_PATH", world.path("half")),
        ("ASCEND_TOOLKIT_HOME", world.path("broken")),
    ];

    let told = world.search(&variables).tried;
    assert!(told[0].starts_with("gone/lib64 (ACLNN_CANN_PATH): No such file or directory"), "{}", told[0]);
    assert_eq!(
        told[1],
        "half/lib64 (ASCEND_HOME_PATH): there is no libnnopbase.so, no libopapi.so or libopapi_*.so"
    );
    assert_eq!(told[2], "broken/lib64/libascendcl.so (ASCEND_TOOLKIT_HOME): opened");
    assert!(told[3].starts_with("broken/lib64/libnnopbase.so (ASCEND_TOOLKIT_HOME): "), "{}", told[3]);
    assert!(told[3].contains("file too short") || told[3].contains("invalid ELF header"), "{}", told[3]);
    assert!(told[4].starts_with("libnnopbase.so (dynamic linker): "), "{}", told[4]);
    assert!(told[5].contains("(default)"), "{}", told[5]);

    variables.push((RECORDED, world.path("whole")));
    let found = world.search(&variables);
    assert_eq!(found.tried.last().unwrap(), "whole/lib64/libopapi.so (recorded at build time): opened");
    let message = NotFound { tried: Vec::new() }.to_string();
    assert!(message.contains("set_env.sh") && message.ends_with("Tried: nothing"), "{message}");
}

#[test]
fn the_dynamic_linker_is_asked() {
    let world = World::new();
    let nothing = world.search(&[("LD_LIBRARY_PATH", world.path("nothing here"))]);
    assert!(nothing.tried[0].starts_with("libnnopbase.so (dynamic linker): "), "{nothing:?}");
    assert!(nothing.tried[0].contains("cannot open shared object file"), "{nothing:?}");
    world.toolkit("cann", "libopapi_math.so");
    let found = world.search(&[("LD_LIBRARY_PATH", world.path("cann/lib64"))]);
    assert_eq!(found.directory, "cann/lib64");
    assert_eq!(found.tried[0], "cann/lib64/libascendcl.so (dynamic linker): opened");
}
