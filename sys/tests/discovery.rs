//! Finding CANN among directories of libraries that say who they are.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use aclnn_sys::{Environment, NotFound, SymbolSource, Toolkit};
use std::{
    ffi::c_int,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;

/// Directories of libraries; each library exports some functions, which return its number.
struct World(TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A library at `path` with `functions`. Returns its number.
    fn library(&self, path: &str, functions: &[&str]) -> c_int {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let source: String = functions
            .iter()
            .map(|name| format!("int {name}(void);\nint {name}(void) {{ return {number}; }}\n"))
            .collect();
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = self.path("source");
        fs::write(&file, source + "extern int unused;\n").unwrap();
        support::succeed(
            support::Language::C99.compiler().args(["-shared", "-fPIC", "-o"]).arg(&path).arg(&file),
        );
        number.try_into().unwrap()
    }

    /// A toolkit of the smallest kind: runtime, base, operators.
    fn toolkit(&self, root: &str, operators: &str) -> [c_int; 3] {
        [
            self.library(&format!("{root}/lib64/libascendcl.so"), &["aclInit"]),
            self.library(&format!("{root}/lib64/libnnopbase.so"), &["aclCreateTensor"]),
            self.library(&format!("{root}/lib64/{operators}"), &["aclnnAdd"]),
        ]
    }
}

/// The number of the library that has a function.
fn number(source: &dyn SymbolSource, name: &str) -> Option<c_int> {
    let address = source.symbol(name)?;
    // SAFETY: every function in these libraries has this type.
    let function = unsafe { std::mem::transmute::<std::ptr::NonNull<_>, extern "C" fn() -> c_int>(address) };
    Some(function())
}

fn found(toolkit: &Toolkit) -> [Option<c_int>; 3] {
    [
        number(&*toolkit.runtime, "aclInit"),
        number(&*toolkit.meta, "aclCreateTensor"),
        number(&*toolkit.operators, "aclnnAdd"),
    ]
}

#[test]
fn places_are_looked_at_in_order() {
    let world = World::new();
    let places = ["explicit", "home", "toolkit", "default", "recorded"];
    let numbers = places.map(|place| world.toolkit(place, "libopapi.so").map(Some));
    let [explicit, home, toolkit, default, recorded] = places.map(|place| world.path(place));
    let mut environment = Environment {
        aclnn_cann_path: Some(explicit),
        ascend_home_path: Some(home),
        ascend_toolkit_home: Some(toolkit),
        default_roots: vec![world.path("nothing here"), default],
        ..Environment::default()
    };
    let find = |environment: &Environment| found(&Toolkit::find(environment, Some(&recorded)).unwrap());

    assert_eq!(find(&environment), numbers[0]);
    environment.aclnn_cann_path = None;
    assert_eq!(find(&environment), numbers[1]);
    environment.ascend_home_path = Some(world.path("gone"));
    assert_eq!(find(&environment), numbers[2]);
    environment.ascend_toolkit_home = None;
    assert_eq!(find(&environment), numbers[3]);
    environment.default_roots.clear();
    assert_eq!(find(&environment), numbers[4]);
}

#[test]
fn a_directory_of_libraries_serves_as_a_root() {
    let world = World::new();
    let numbers = world.toolkit("cann", "libopapi.so").map(Some);
    let environment = Environment::default();
    for path in ["cann", "cann/lib64"] {
        let toolkit = Toolkit::open(&world.path(path), &environment).unwrap();
        assert_eq!(found(&toolkit), numbers);
        assert_eq!(toolkit.directory, world.path("cann/lib64"));
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
    let toolkit = Toolkit::open(&world.path("cann"), &Environment::default()).unwrap();

    assert_eq!(number(&*toolkit.runtime, "aclrtMalloc"), Some(new));
    assert_eq!(number(&*toolkit.runtime, "aclInit"), Some(old));
    assert_eq!(number(&*toolkit.runtime, "aclSetCompileopt"), Some(compiler));
    assert_eq!(number(&*toolkit.operators, "aclnnAdd"), Some(math));
    assert_eq!(number(&*toolkit.operators, "aclnnOld"), Some(infer));
}

#[test]
fn single_and_split_operator_libraries_are_not_mixed() {
    let world = World::new();
    world.toolkit("cann", "libopapi_math.so");
    let other = world.library("cann/lib64/libopapi_added_later.so", &["aclnnNew"]);
    world.library("cann/lib64/libopapi.so", &["aclnnAdd", "aclnnOnlyInTheOldOne"]);
    let toolkit = Toolkit::open(&world.path("cann"), &Environment::default()).unwrap();

    assert_eq!(number(&*toolkit.operators, "aclnnOnlyInTheOldOne"), None);
    assert_eq!(number(&*toolkit.operators, "aclnnNew"), Some(other));
    assert!(!toolkit.tried.iter().any(|attempt| attempt.path.ends_with("libopapi.so")));
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
    let mut environment = Environment {
        ascend_opp_path: Some(world.path("opp")),
        ascend_custom_opp_path: vec![world.path("not installed"), world.path("own")],
        ..Environment::default()
    };
    let numbers = |environment: &Environment| {
        let toolkit = Toolkit::open(&world.path("cann"), environment).unwrap();
        ["aclnnOwn", "aclnnVendor", "aclnnAdd", "aclnnUnlisted"].map(|name| number(&*toolkit.operators, name))
    };

    assert_eq!(numbers(&environment), [Some(own), Some(first), Some(first), None]);
    environment.ascend_custom_opp_path.clear();
    assert_eq!(numbers(&environment), [Some(second), Some(first), Some(first), None]);
}

#[test]
fn one_library_serves_under_many_names() {
    let world = World::new();
    let one = world.library("cann/lib64/libstubs.so", &["aclInit", "aclCreateTensor", "aclnnAdd"]);
    for name in ["libascendcl.so", "libacl_rt.so", "libnnopbase.so", "libopapi.so", "libopapi_math.so"] {
        symlink("libstubs.so", world.path(&format!("cann/lib64/{name}"))).unwrap();
    }
    let toolkit = Toolkit::open(&world.path("cann"), &Environment::default()).unwrap();
    assert_eq!(found(&toolkit), [Some(one); 3]);
}

#[test]
fn what_was_tried_is_told() {
    let world = World::new();
    world.library("half/lib64/libascendcl.so", &["aclInit"]);
    world.toolkit("broken", "libopapi.so");
    fs::write(world.path("broken/lib64/libnnopbase.so"), "no library at all").unwrap();
    world.toolkit("whole", "libopapi.so");
    let environment = Environment {
        aclnn_cann_path: Some(world.path("gone")),
        ascend_home_path: Some(world.path("half")),
        ascend_toolkit_home: Some(world.path("broken")),
        ..Environment::default()
    };

    let NotFound { tried } = Toolkit::find(&environment, None).unwrap_err();
    let told: Vec<String> = tried.iter().map(|attempt| shown(&world, &attempt.to_string())).collect();
    assert_eq!(told.len(), 5, "{told:#?}");
    assert!(told[0].starts_with("gone/lib64 (ACLNN_CANN_PATH): No such file or directory"), "{}", told[0]);
    assert_eq!(
        told[1],
        "half/lib64 (ASCEND_HOME_PATH): there is no libnnopbase.so, no libopapi.so or libopapi_*.so"
    );
    assert_eq!(told[2], "broken/lib64/libascendcl.so (ASCEND_TOOLKIT_HOME): opened");
    assert!(told[3].starts_with("broken/lib64/libnnopbase.so (ASCEND_TOOLKIT_HOME): "), "{}", told[3]);
    assert!(told[3].contains("file too short") || told[3].contains("invalid ELF header"), "{}", told[3]);
    let message = NotFound { tried }.to_string();
    assert!(message.contains("set_env.sh") && message.lines().count() == 6, "{message}");

    let toolkit = Toolkit::find(&environment, Some(&world.path("whole"))).unwrap();
    assert_eq!(toolkit.tried.len(), 8);
    assert_eq!(toolkit.tried[7].error, None);
}

/// The variable by which the test below tells its child process what to find: a directory, or nothing.
const EXPECTED: &str = "ACLNN_TEST_EXPECTED_DIRECTORY";

/// The dynamic linker reads `LD_LIBRARY_PATH` when a process starts, so another process asks it.
#[test]
fn the_dynamic_linker_is_asked() {
    let environment = Environment { dynamic_linker: true, ..Environment::default() };
    match std::env::var_os(EXPECTED) {
        Some(nothing) if nothing.is_empty() => {
            let error = Toolkit::find(&environment, None).unwrap_err();
            assert_eq!(error.tried[0].path, Path::new("libnnopbase.so"));
            assert!(error.tried[0].to_string().contains("cannot open shared object file"), "{error}");
        }
        Some(directory) => {
            let toolkit = Toolkit::find(&environment, None).unwrap();
            assert_eq!(toolkit.directory, Path::new(&directory));
            assert_eq!(toolkit.tried[0].origin, "dynamic linker");
        }
        None => {
            let world = World::new();
            world.toolkit("cann", "libopapi_math.so");
            for directory in [PathBuf::new(), world.path("cann/lib64")] {
                let mut child = Command::new(std::env::current_exe().unwrap());
                child.args(["--exact", "the_dynamic_linker_is_asked"]);
                support::succeed(child.env(EXPECTED, &directory).env("LD_LIBRARY_PATH", &directory));
            }
        }
    }
}

fn shown(world: &World, text: &str) -> String {
    text.replace(&format!("{}/", world.0.path().display()), "")
}
