//! Finding CANN among directories of libraries that say who they are.
//!
//! Every search runs in a process of its own: what one opens stays, and libraries of two directories do not meet.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use aclnn_sys::{Attempt, Environment, Library, NotFound, SymbolSource, Toolkit};
use std::{
    collections::BTreeMap,
    ffi::{OsStr, c_int},
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;

/// Directories of libraries; each library exports some functions, which return its number.
struct World(TempDir);

/// What else there is to a library.
#[derive(Default)]
struct Traits<'a> {
    /// A library that it needs, by its path.
    needs: Option<&'a str>,
    /// A function of another library that it calls, and the function by which it does so.
    calls: Option<(&'a str, &'a str)>,
    /// The dynamic linker keeps it when it is closed.
    stays: bool,
}

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A library at `path` with `functions`. Returns its number.
    fn library(&self, path: &str, functions: &[&str]) -> c_int {
        self.library_with(path, functions, &Traits::default())
    }

    fn library_with(&self, path: &str, functions: &[&str], traits: &Traits<'_>) -> c_int {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut source: String = functions
            .iter()
            .map(|name| format!("int {name}(void);\nint {name}(void) {{ return {number}; }}\n"))
            .collect();
        if let Some((by, function)) = traits.calls {
            source += &format!(
                "int {function}(void);\nint {by}(void);\nint {by}(void) {{ return {function}(); }}\n"
            );
        }
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = self.path("source");
        fs::write(&file, source + "extern int unused;\n").unwrap();
        let mut compiler = support::Language::C99.compiler();
        compiler.args(["-shared", "-fPIC", "-o"]).arg(&path).arg(&file);
        compiler.arg(format!("-Wl,-soname,{}", path.file_name().unwrap().display()));
        if traits.stays {
            compiler.arg("-Wl,-z,nodelete");
        }
        if let Some(needed) = traits.needs {
            // Not as source in C.
            compiler.args(["-x", "none", "-Wl,--no-as-needed"]).arg(self.path(needed));
        }
        support::succeed(&mut compiler);
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

    /// A toolkit whose operators use its base, as those of CANN do: `aclnnBase` gives the number of the one they meet.
    fn linked_toolkit(&self, root: &str) -> [c_int; 3] {
        let numbers = self.toolkit(root, "libopapi.so");
        let traits = Traits {
            needs: Some(&format!("{root}/lib64/libnnopbase.so")),
            calls: Some(("aclnnBase", "aclCreateTensor")),
            ..Traits::default()
        };
        let operators = self.library_with(&format!("{root}/lib64/libopapi.so"), &["aclnnAdd"], &traits);
        [numbers[0], numbers[1], operators]
    }

    /// Lets the library at `path` need one that is not there.
    fn break_dependency(&self, path: &str, functions: &[&str]) {
        self.library("absent/libabsent.so", &[]);
        let traits = Traits { needs: Some("absent/libabsent.so"), ..Traits::default() };
        self.library_with(path, functions, &traits);
        fs::remove_file(self.path("absent/libabsent.so")).unwrap();
    }

    fn shown(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.path().display()), "")
    }

    /// What a process finds that has these variables and no others that matter.
    fn search<V: AsRef<OsStr>>(&self, variables: &[(&str, V)]) -> Found {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--ignored", "--exact", "child", "--nocapture"])
            .env("HOME", self.path("home of the user"));
        for name in ["ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "LD_LIBRARY_PATH"] {
            child.env_remove(name);
        }
        for name in ["ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"] {
            child.env_remove(name);
        }
        for (name, value) in variables {
            child.env(name, value);
        }
        let output = support::succeed(&mut child);
        Found::read(&self.shown(&String::from_utf8(output.stdout).unwrap()))
    }
}

/// What a search found.
#[derive(Debug, Default)]
struct Found {
    directory: String,
    /// By table and function: `meta.aclCreateTensor`.
    numbers: BTreeMap<String, c_int>,
    tried: Vec<String>,
    /// Libraries that are loaded in the end.
    loaded: Vec<String>,
}

impl Found {
    fn read(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("directory", directory)) => directory.clone_into(&mut found.directory),
                Some(("tried", attempt)) => found.tried.push(attempt.to_owned()),
                Some(("loaded", library)) => found.loaded.push(library.to_owned()),
                Some((function, number)) if function.contains('.') => {
                    _ = found.numbers.insert(function.to_owned(), number.parse().unwrap());
                }
                _ => {}
            }
        }
        found
    }

    fn number(&self, function: &str) -> Option<c_int> {
        self.numbers.get(function).copied()
    }

    /// Of the three libraries of the smallest toolkit.
    fn numbers(&self) -> [Option<c_int>; 3] {
        ["runtime.aclInit", "meta.aclCreateTensor", "operators.aclnnAdd"].map(|name| self.number(name))
    }
}

/// A library that the child opens before it searches.
const BEFORE: &str = "ACLNN_TEST_BEFORE";
/// A path that is opened, in place of a search.
const OPEN: &str = "ACLNN_TEST_OPEN";
/// How many candidates are refused after they were opened.
const REFUSE: &str = "ACLNN_TEST_REFUSE";
/// Where a toolkit stood when the child was built.
const RECORDED: &str = "ACLNN_TEST_RECORDED";

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

#[test]
fn a_candidate_that_lacks_a_dependency_leaves_nothing_behind() {
    for (library, function) in
        [("libascendcl.so", "aclInit"), ("libnnopbase.so", "aclCreateTensor"), ("libopapi.so", "aclnnAdd")]
    {
        let world = World::new();
        world.linked_toolkit("first");
        let good = world.linked_toolkit("good");
        world.break_dependency(&format!("first/lib64/{library}"), &[function]);
        let found = world.search(&[
            ("ASCEND_HOME_PATH", world.path("first")),
            ("LD_LIBRARY_PATH", world.path("good/lib64")),
        ]);
        assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
        assert_eq!(found.number("operators.aclnnBase"), Some(good[1]), "{found:#?}");
        assert!(!found.loaded.iter().any(|path| path.starts_with("first/")), "{found:#?}");
        let why = found.tried.iter().find(|attempt| attempt.starts_with(&format!("first/lib64/{library}")));
        assert!(why.is_some_and(|why| why.contains("it needs that library")), "{found:#?}");

        // The dynamic linker itself would find the first one again.
        let paths = std::env::join_paths(["first/lib64", "good/lib64"].map(|path| world.path(path))).unwrap();
        let behind = world.search(&[("LD_LIBRARY_PATH", paths)]);
        assert_eq!(behind.numbers(), good.map(Some), "{behind:#?}");
        assert_eq!(behind.number("operators.aclnnBase"), Some(good[1]), "{behind:#?}");
    }
}

#[test]
fn a_candidate_that_was_refused_gives_way_to_the_next() {
    let world = World::new();
    let first = world.linked_toolkit("first");
    let good = world.linked_toolkit("good");
    let variables = [
        (REFUSE, PathBuf::from("1")),
        ("ACLNN_CANN_PATH", world.path("first")),
        // Another way to the same libraries, which are not asked twice.
        ("ASCEND_HOME_PATH", world.path("first/lib64")),
        ("LD_LIBRARY_PATH", world.path("good/lib64")),
    ];
    let found = world.search(&variables);
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
    assert_eq!(found.number("operators.aclnnBase"), Some(good[1]), "{found:#?}");
    assert!(!found.loaded.iter().any(|path| path.starts_with("first/")), "{found:#?}");
    let refused = format!("first/lib64 (ACLNN_CANN_PATH): refused with aclInit Some({})", first[0]);
    assert_eq!(found.tried[3..5], [refused, "first/lib64 (ASCEND_HOME_PATH): tried above".to_owned()]);

    // Nobody else comes: what was refused was used, and stays as it is.
    let alone = world.search(&[
        (REFUSE, PathBuf::from("1")),
        ("ASCEND_HOME_PATH", world.path("first")),
        ("LD_LIBRARY_PATH", world.path("first/lib64")),
    ]);
    assert_eq!(alone.directory, "", "{alone:#?}");
    assert!(alone.tried.contains(&"first/lib64 (dynamic linker): tried above".to_owned()), "{alone:#?}");
    assert!(alone.loaded.iter().any(|path| path.starts_with("first/")), "{alone:#?}");
}

#[test]
fn libraries_of_two_directories_do_not_meet() {
    let world = World::new();
    let first = world.linked_toolkit("first");
    let good = world.linked_toolkit("good");
    let refuses = |found: &Found, why: &str| {
        assert!(found.tried.iter().any(|attempt| attempt.contains(why)), "{why:?} is missing in {found:#?}");
    };

    // The program has loaded one by itself, and the dynamic linker answers with that.
    let found = world.search(&[
        (BEFORE, world.path("good/lib64/libnnopbase.so")),
        ("ASCEND_HOME_PATH", world.path("first")),
    ]);
    refuses(
        &found,
        "first/lib64 (ASCEND_HOME_PATH): good/lib64/libnnopbase.so is loaded in this process already",
    );
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");

    // One that was refused stays loaded.
    let stays = Traits { stays: true, ..Traits::default() };
    let runtime = world.library_with("first/lib64/libascendcl.so", &["aclInit"], &stays);
    let mut variables = vec![(REFUSE, PathBuf::from("1")), ("ASCEND_HOME_PATH", world.path("first"))];
    variables.push((RECORDED, world.path("good")));
    let found = world.search(&variables);
    assert_eq!(found.directory, "", "{found:#?}");
    refuses(&found, &format!("first/lib64 (ASCEND_HOME_PATH): refused with aclInit Some({runtime})"));
    refuses(
        &found,
        "good/lib64 (recorded at build time): first/lib64/libascendcl.so is loaded in this process",
    );
    assert_ne!(runtime, first[0]);

    // One brings along a library of another directory, which the dynamic linker prefers.
    world.library("mixed/lib64/libruntime.so", &["rtInit"]);
    world.toolkit("mixed", "libopapi.so");
    let needs = Traits { needs: Some("mixed/lib64/libruntime.so"), ..Traits::default() };
    world.library_with("mixed/lib64/libascendcl.so", &["aclInit"], &needs);
    world.library("good/lib64/libruntime.so", &["rtInit"]);
    let found = world
        .search(&[("ASCEND_HOME_PATH", world.path("mixed")), ("LD_LIBRARY_PATH", world.path("good/lib64"))]);
    refuses(&found, "mixed/lib64/libascendcl.so (ASCEND_HOME_PATH): with it comes good/lib64/libruntime.so");
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
    assert!(!found.loaded.iter().any(|path| path.starts_with("mixed/")), "{found:#?}");
}
