//! The drop-in directory: each library exports what CANN's does, has what programs look up in it, and shares one state
//! with the others. `packages` has what brings it to programs: CMake, pkg-config, an archive, a wheel.

#![allow(clippy::unwrap_used, clippy::panic)]

mod packages;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use aclnn_sys::{
    ACL_ERROR_API_NOT_SUPPORT, ACL_ERROR_REPEAT_INITIALIZE, ACL_SUCCESS, Library, Meta, Runtime, SymbolSource,
};

/// The variable that tells a child process of a test which library to open first. The child uses the toolkit of its
/// parent.
const CHILD: &str = "ACLNN_TEST_FIRST";

/// Lays out a toolkit, once for all tests of this file.
static TOOLKIT: LazyLock<PathBuf> = LazyLock::new(|| {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
    if std::env::var_os(CHILD).is_some() {
        return out.join("lib64");
    }
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["toolkit", "--debug", "--out"]).arg(&out).arg("--archive").arg(out.with_extension("tar.gz"));
    if Command::new("python3").arg("--version").output().is_ok() {
        _ = std::fs::remove_dir_all(wheels());
        xtask.arg("--wheel").arg(wheels());
    }
    assert!(xtask.status().unwrap().success());
    out.join("lib64")
});

/// The directory of the wheel that is made of the toolkit.
fn wheels() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("wheel")
}

/// Returns the names that a library exports.
fn exported(path: &Path) -> BTreeSet<String> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(path).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

/// The names that each library exports, except for the one that holds the emulator.
static EXPORTS: LazyLock<BTreeMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let files = std::fs::read_dir(&*TOOLKIT).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|file| file.file_name() != "libcann_stubs.so");
    files.map(|file| (file.file_name().into_string().unwrap(), exported(&file.path()))).collect()
});

/// Returns the libraries that export a name, without `lib` and `.so`.
fn exporters(name: &str) -> Vec<&'static str> {
    let libraries = EXPORTS.iter().filter(|(_, names)| names.contains(name)).map(|(library, _)| library);
    libraries.map(|library| library.strip_prefix("lib").unwrap().strip_suffix(".so").unwrap()).collect()
}

fn open(name: &str) -> Library {
    // SAFETY: the library was just built from this repository.
    unsafe { Library::open(TOOLKIT.join(name)) }.unwrap()
}

#[test]
fn the_libraries_export_what_the_list_says_and_nothing_else() {
    let all: BTreeSet<&str> = EXPORTS.values().flatten().map(String::as_str).collect();
    let listed: BTreeSet<&str> = cann_stubs::entry_points().map(|entry| entry.name()).collect();
    let missing: Vec<_> = listed.difference(&all).collect();
    let unlisted: Vec<_> = all.difference(&listed).collect();
    assert!(missing.is_empty() && unlisted.is_empty(), "missing: {missing:?}, not listed: {unlisted:?}");
    // The library that holds the code exports no names of CANN, so a program that links it by accident gets nothing.
    let core = exported(&TOOLKIT.join("libcann_stubs.so"));
    let foreign: Vec<_> =
        core.iter().filter(|name| !name.starts_with("cann_stubs_") && !name.starts_with("rust_")).collect();
    assert!(core.len() > listed.len() && foreign.is_empty(), "{foreign:?}");
}

/// The expectations are those of the build files of public projects and of the binaries that need the libraries.
#[test]
fn each_library_exports_what_cann_has_in_it() {
    let runtime = ["acl_rt", "ascendcl"];
    for name in [
        "aclInit",
        "aclrtMalloc",
        "aclrtLaunchCallback",
        "aclDataTypeSize",
        "aclmdlRIExecute",
        "aclmdlInitDump",
    ] {
        assert_eq!(exporters(name), runtime, "{name}");
    }
    for (name, libraries) in [
        // A library of the older name is known to lack this function.
        ("aclsysGetVersionStr", &["acl_rt"][..]),
        ("aclCreateTensorDesc", &["ascendcl"]),
        ("aclmdlLoadFromFile", &["acl_mdl", "ascendcl"]),
        ("aclopSetAttrInt", &["acl_op_executor", "ascendcl"]),
        ("aclopCompileAndExecute", &["acl_op_compiler"]),
        ("aclSetCompileopt", &["acl_op_compiler"]),
        ("aclprofStart", &["ascendcl", "msprofiler"]),
        ("aclprofSetConfig", &["msprofiler"]),
        ("HcommReadOnThread", &["hcomm"]),
        ("aclopStartDumpArgs", &["ascend_dump"]),
        ("rtKernelLaunch", &["runtime"]),
        ("aclnnInit", &["nnopbase"]),
        ("aclnnAdd", &["opapi", "opapi_math"]),
        ("aclnnAddGetWorkspaceSize", &["opapi", "opapi_math"]),
        ("aclnnRelu", &["opapi", "opapi_nn"]),
        ("aclnnRotaryPositionEmbedding", &["opapi", "opapi_transformer"]),
    ] {
        assert_eq!(exporters(name), libraries, "{name}");
    }
    for name in Meta::SYMBOLS {
        assert_eq!(exporters(name), ["nnopbase"], "{name}");
    }
    for name in Runtime::SYMBOLS.iter().filter(|name| name.starts_with("aclrt")) {
        // Functions that the headers declare and CANN's libraries lack are in no library.
        assert!(exporters(name) == runtime || exporters(name).is_empty(), "{name}: {:?}", exporters(name));
    }
    for (library, names) in EXPORTS.iter().filter(|(library, _)| library.starts_with("libopapi")) {
        assert!(names.iter().all(|name| name.starts_with("aclnn")), "{library}");
    }
    // Either all operators are in one library, or each is in one of several.
    for name in &EXPORTS["libopapi.so"] {
        assert_eq!(exporters(name).len(), 2, "{name}: {:?}", exporters(name));
    }
}

/// Returns the names in the list after words that name one of the kinds.
fn bound(kinds: &[&str]) -> Vec<String> {
    let list = include_str!("../../../cann-stubs/tests/data/surface.txt");
    let rows = list.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(' ').unwrap());
    let rows = rows.filter(|(kind, _)| kinds.contains(kind));
    rows.flat_map(|(kind, name)| match kind {
        "runtime" | "meta" | "transport" | "function" | "collective" => vec![name.to_owned()],
        _ => vec![format!("aclnn{name}"), format!("aclnn{name}GetWorkspaceSize")],
    })
    .collect()
}

/// `dlsym` looks into a library and into those that it needs.
#[test]
fn what_programs_look_up_in_a_library_is_there() {
    let lacks = |libraries: &[&str], names: &[String]| {
        let libraries: Vec<Library> = libraries.iter().map(|name| open(name)).collect();
        let has = |name: &String| libraries.iter().any(|library| library.symbol(name).is_some());
        names.iter().filter(|name| !has(name)).cloned().collect::<Vec<_>>()
    };
    let (runtime, meta, operators) =
        (bound(&["runtime"]), bound(&["meta"]), bound(&["compute", "next", "bound"]));
    assert_eq!((runtime.len(), meta.len(), operators.len()), (92, 9, 358));
    let (transport, functions, collectives) =
        (bound(&["transport"]), bound(&["function"]), bound(&["collective"]));
    assert_eq!((transport.len(), functions.len(), collectives.len()), (13, 1, 10));
    let nothing: [String; 0] = [];
    // A plugin of PyTorch needs these five libraries, and each name has to be in one of them when the plugin is loaded.
    let plugin = [
        "libhccl.so",
        "libascendcl.so",
        "libacl_op_compiler.so",
        "libge_runner.so",
        "libgraph.so",
        "libascend_hal.so",
    ];
    assert_eq!(lacks(&plugin, &runtime), nothing);
    assert_eq!(lacks(&["libhccl.so"], &collectives), nothing);
    assert_eq!(lacks(&["libnnopbase.so"], &meta), nothing);
    assert_eq!(lacks(&["libopapi.so"], &operators), nothing);
    assert_eq!(lacks(&["libopapi.so"], &functions), nothing);
    assert_eq!(lacks(&["libacl_tdt_channel.so"], &transport), nothing);
    // From 9.0 on the plugin opens every regular file with such a name.
    let split: Vec<&str> =
        EXPORTS.keys().map(String::as_str).filter(|name| name.starts_with("libopapi_")).collect();
    assert!(split.iter().all(|name| TOOLKIT.join(name).symlink_metadata().unwrap().is_file()));
    assert_eq!(lacks(&split, &operators), nothing);
}

/// Returns the functions that later releases publish.
fn published_functions() -> impl Iterator<Item = &'static str> {
    let rows = include_str!("../../../sys/tests/data/published_functions.tsv").lines().skip(1);
    rows.map(|row| row.split('\t').nth(1).unwrap())
}

/// A program that misses a name often does something else silently.
#[test]
fn everything_that_is_published_is_exported() {
    let operators = aclnn_sys::operators::published().flat_map(|operator| {
        let plan = operator.is_pair.then(|| format!("aclnn{}GetWorkspaceSize", operator.name));
        plan.into_iter().chain([format!("aclnn{}", operator.name)])
    });
    let functions = published_functions()
        .chain(["aclnnReselectStaticKernel", "aclnnReselectStaticKernelWithPath"])
        .map(str::to_owned);
    let all: BTreeSet<String> = operators.chain(functions).collect();
    assert!(all.len() > 2800, "{}", all.len());
    let missing: Vec<&String> = all.iter().filter(|name| exporters(name).is_empty()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every name of HCCL that is known: those whose prototypes are known, and the others, of which all but two refuse.
const HCCL: &str = "HcclGetRootInfo HcclCommInitRootInfo HcclCommInitRootInfoConfig HcclCommInitClusterInfo HcclCommInitAll \
    HcclCommDestroy HcclAllReduce HcclBroadcast HcclReduceScatter HcclAllGather HcclReduce HcclSend HcclRecv \
    HcclBatchSendRecv HcclAlltoAll HcclAlltoAllV HcclAlltoAllVC HcclScatter HcclAllGatherV HcclReduceScatterV HcclBarrier HcclGetRankSize HcclGetRankId HcclGetCommName HcclGetCommAsyncError HcclGetErrorString \
    HcclGetCommConfigCapability";
const HCCL_BY_NAME: &str = "HcclCommInitClusterInfoConfig HcclCreateSubCommConfig HcclSetConfig HcclGetConfig \
    HcclSetCommConfig HcclGetCommConfig HcclCommSuspend HcclCommResume HcclCommSetMemoryRange HcclCommUnsetMemoryRange HcclCommActivateCommMemory \
    HcclCommDeactivateCommMemory HcclCommWorkingDevNicSet HcclCommRegister HcclCommDeregister HcclCommExchangeMem";

#[test]
fn every_function_of_collectives_works_or_refuses_by_its_name() {
    let library = open("libhccl.so");
    let runtime = runtime_of_9_0();
    let later = published_functions().filter(|name| name.starts_with("Hc"));
    let declared: BTreeSet<&str> = HCCL.split_whitespace().chain(later).collect();
    assert_eq!(declared, aclnn_sys::Collectives::SYMBOLS.iter().copied().collect());
    for name in HCCL.split_whitespace() {
        assert!(library.symbol(name).is_some(), "{name}");
        assert_eq!(exporters(name), ["hccl"], "{name}");
    }
    for name in HCCL_BY_NAME.split_whitespace() {
        let address = library.symbol(name).unwrap();
        // SAFETY: it reads no arguments.
        let code = unsafe {
            std::mem::transmute::<*mut std::ffi::c_void, extern "C" fn() -> u32>(address.as_ptr())()
        };
        // SAFETY: the text is valid until the next call of this thread.
        let told = unsafe { std::ffi::CStr::from_ptr(runtime.aclGetRecentErrMsg().unwrap()) };
        let told = told.to_str().unwrap();
        assert_eq!(code, aclnn_sys::HCCL_E_NOT_SUPPORT.0, "{name}");
        assert!(told.starts_with(&format!("{name}: ")) && told.contains(" not emulated"), "{told}");
    }
    // A plugin looks these up in a library of their own, from 9.0 on.
    for name in ["HcclGroupStart", "HcclGroupEnd"] {
        assert_eq!(exporters(name), ["hcomm"], "{name}");
        assert!(open("libhcomm.so").symbol(name).is_some());
    }
}

/// Returns the libraries that this process has mapped, without their directory.
fn mapped() -> BTreeSet<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let paths = maps
        .lines()
        .filter_map(|line| line.split_once('/'))
        .map(|(_, path)| PathBuf::from(format!("/{path}")));
    paths.filter(|path| path.ends_with("libcann_stubs.so")).collect()
}

/// Each order is tested in a process of its own.
#[test]
fn libraries_opened_in_any_order_have_one_state() {
    if let Some(first) = std::env::var_os(CHILD) {
        let first: usize = first.to_str().unwrap().parse().unwrap();
        let mut order: Vec<&str> = EXPORTS.keys().map(String::as_str).collect();
        order.rotate_left(first);
        if first % 2 == 1 {
            order.reverse();
        }
        let libraries: Vec<Library> = order.into_iter().map(open).collect();
        assert_eq!(mapped().len(), 1, "{:?}", mapped());
        let inits: Vec<i32> = libraries
            .iter()
            .filter(|library| library.symbol("aclInit").is_some())
            // SAFETY: without a configuration.
            .map(|library| unsafe { Runtime::load(library).aclInit(std::ptr::null()) }.unwrap())
            .collect();
        let (first, later) = inits.split_first().unwrap();
        assert_eq!(*first, ACL_SUCCESS);
        assert!(
            !later.is_empty() && later.iter().all(|code| *code == ACL_ERROR_REPEAT_INITIALIZE),
            "{inits:?}"
        );
        return;
    }
    for first in (0..EXPORTS.len()).step_by(3) {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "libraries_opened_in_any_order_have_one_state"])
            .env(CHILD, first.to_string())
            .output()
            .unwrap();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    }
}

/// Otherwise a program would run on another emulator than the one in its directory, and tests on one that nobody asked for.
#[test]
fn the_libraries_use_the_emulator_beside_them() {
    if std::env::var_os(CHILD).is_some() {
        let _library = open("libopapi.so");
        assert_eq!(mapped(), BTreeSet::from([TOOLKIT.join("libcann_stubs.so")]));
        return;
    }
    let other = tempfile::tempdir().unwrap();
    for name in ["libcann_stubs.so", "libnnopbase.so"] {
        std::fs::copy(TOOLKIT.join(name), other.path().join(name)).unwrap();
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_libraries_use_the_emulator_beside_them"])
        .env(CHILD, "0")
        .env("LD_LIBRARY_PATH", other.path())
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

/// The runtime of an older release, for all tests that call functions in this process: it is chosen once.
fn runtime_of_9_0() -> Runtime {
    static CHOSEN: std::sync::Once = std::sync::Once::new();
    // SAFETY: no other test of this file reads the environment.
    CHOSEN.call_once(|| unsafe { std::env::set_var("CANN_STUBS_VERSION", "9.0") });
    Runtime::load(&open("libacl_rt.so"))
}

/// A drop-in library has the functions of every release, so those that the emulated release lacks must refuse.
#[test]
fn functions_of_later_releases_refuse() {
    let runtime = runtime_of_9_0();
    // SAFETY: the places are valid, and null is what the function has to refuse.
    unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(runtime.aclrtMemsetD32(null, 4, 0, 1), Ok(ACL_ERROR_API_NOT_SUPPORT));
        let text = std::ffi::CStr::from_ptr(runtime.aclGetRecentErrMsg().unwrap()).to_string_lossy();
        for word in ["aclrtMemsetD32", "9.1", "9.0", "CANN_STUBS_VERSION"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        // This function is of 9.0: it exists, and only its arguments are refused.
        assert_eq!(runtime.aclrtMemPoolDestroy(null), Ok(aclnn_sys::ACL_ERROR_RT_PARAM_INVALID));
    }
}

/// A user who wants the libraries has to build the emulator, but no generator of bindings.
#[test]
fn laying_out_the_directory_compiles_no_generator() {
    for (package, features) in [("xtask", ""), ("cann-stubs", "drop-in")] {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--package", package, "--features", features, "--edges", "normal,build"])
            .args(["--prefix", "none", "--format", "{p}"])
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let text = String::from_utf8(tree.stdout).unwrap();
        let packages: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(packages.contains("libloading"), "{packages:?}");
        let emulator_twice = (package == "xtask").then_some("cann-stubs");
        for heavy in ["bindgen", "clang-sys"].into_iter().chain(emulator_twice) {
            assert!(!packages.contains(heavy), "{package}: {packages:?}");
        }
    }
}

#[test]
fn the_commands_are_told_when_asked_for() {
    for arguments in [&["--help"][..], &["-h"], &["toolkit", "--help"]] {
        let help = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
        let text = String::from_utf8(help.stdout).unwrap();
        assert!(help.status.success() && text.contains("toolkit --out DIR"), "{arguments:?}: {text}");
    }
    assert!(!Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tolkit").output().unwrap().status.success());
}

#[test]
fn a_directory_can_be_made_without_an_operator() {
    let out = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["toolkit", "--debug", "--without", name, "--out"]).arg(out.path()).output().unwrap()
    };
    let made = make("aclnnMul");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for (library, complete) in &*EXPORTS {
        let names = exported(&out.path().join("lib64").join(library));
        let lacking: Vec<&str> = complete.difference(&names).map(String::as_str).collect();
        let expected: &[&str] = match library.as_str() {
            "libopapi.so" | "libopapi_math.so" => &["aclnnMul", "aclnnMulGetWorkspaceSize"],
            _ => &[],
        };
        assert_eq!(lacking, expected, "{library}");
    }
    let unknown = make("aclnnMulGetWorkspaceSize");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no function"), "{unknown:?}");
}

/// A plugin of PyTorch refuses to be imported where `ASCEND_HOME_PATH` lacks one of these.
#[test]
fn a_program_finds_the_directories_that_it_looks_for() {
    let home = TOOLKIT.parent().unwrap();
    for name in ["lib64", "include/acl", "include/aclnn", "include/aclnnop", "opp", "runtime", "compiler"] {
        assert!(home.join(name).is_dir(), "{name}");
    }
    let names = |directory: &Path| -> BTreeSet<_> {
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sys/include/acl");
    assert_eq!(names(&home.join("include/acl")), names(&headers));
}
