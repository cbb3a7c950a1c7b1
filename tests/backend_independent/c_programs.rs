//! C and C++ programs written for CANN, compiled against the headers and linked with the drop-in libraries.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use crate::support;

/// Compiles `source` with `compiler`, runs it with the drop-in libraries alone, and returns what it prints.
fn compile_and_run(compiler: &str, standard: &str, source: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = compile(compiler, standard, source, directory.path(), OPERATORS);
    run(Command::new(program))
}

/// A program, or a tool with one, in a small emulator.
fn on_devices(mut command: Command, devices: u32) -> Command {
    command.env("LD_LIBRARY_PATH", support::toolkit().join("lib64"));
    command.env("CANN_STUBS_DEVICES", devices.to_string()).env("CANN_STUBS_MEMORY", "64M");
    // Ranks that wait for nothing must not hold up the tests for long.
    command.env("CANN_STUBS_RANK_TIMEOUT", "60").env_remove("RUST_BACKTRACE");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a program, or a tool with one, in a small emulator with two devices; what it prints.
fn run(command: Command) -> String {
    printed(&on_devices(command, 2).output().expect("the program starts"))
}

/// What a program printed that succeeded, and said nothing else.
fn printed(ran: &Output) -> String {
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{:?}: {told}", ran.status);
    assert!(!told.contains("cann-stubs"), "{told}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The libraries of a program that calls operators, and those of one that is a rank of a group.
const OPERATORS: &[&str] = &["-lascendcl", "-lnnopbase", "-lopapi"];
const RANKS: &[&str] = &["-lascendcl", "-lhccl"];

fn compile(compiler: &str, standard: &str, source: &str, directory: &Path, libraries: &[&str]) -> PathBuf {
    let source = support::root().join("tests/c").join(source);
    let program = directory.join("program");
    let linked = link(compiler, standard, &source, libraries, &program);
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    program
}

/// Compiles and links a program as many linkers do by default: what it does not use is not noted in it.
fn link(compiler: &str, standard: &str, source: &Path, libraries: &[&str], program: &Path) -> Output {
    let toolkit = support::toolkit();
    Command::new(compiler)
        .args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-Wl,--as-needed"])
        .arg("-I")
        .arg(toolkit.join("include"))
        .arg("-I")
        .arg(toolkit.join("include/aclnnop"))
        .arg(source)
        .arg("-o")
        .arg(program)
        .arg("-L")
        .arg(toolkit.join("lib64"))
        .args(libraries)
        .arg("-pthread")
        .output()
        .expect("the compiler starts")
}

/// The libraries that a program needs, but for those of the system.
fn needed(program: &Path) -> Vec<String> {
    let output =
        Command::new("readelf").arg("--dynamic").arg(program).env("LC_ALL", "C").output().expect("binutils");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let needed = text.lines().filter(|line| line.contains("(NEEDED)"));
    let names = needed.filter_map(|line| line.split_once('[')?.1.split_once(']')).map(|(name, _)| name);
    let system = ["libc.so", "libstdc++.so", "libm.so", "libgcc_s.so", "libpthread.so"];
    names.filter(|name| !system.iter().any(|start| name.starts_with(start))).map(str::to_owned).collect()
}

#[test]
fn a_program_needs_the_libraries_that_it_uses() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("program");
    let sources = support::root().join("tests/c");
    let runtime = directory.path().join("runtime.c");
    std::fs::write(&runtime, "#include \"acl/acl.h\"\nint main(void) { return aclInit(NULL); }\n")
        .expect("a file");
    let adds = sources.join("mixed_add.c");
    let old = ["-lascendcl", "-lnnopbase", "-lopapi"];
    let new = ["-lopapi_math", "-lacl_rt", "-lnnopbase"];
    for (source, libraries, expected) in [
        (&adds, &old[..], &["libascendcl.so", "libnnopbase.so", "libopapi.so"][..]),
        (&adds, &new, &["libopapi_math.so", "libacl_rt.so", "libnnopbase.so"]),
        (&runtime, &old, &["libascendcl.so"]),
        (&runtime, &new, &["libacl_rt.so"]),
    ] {
        let linked = link("gcc", "-std=c99", source, libraries, &program);
        assert!(
            linked.status.success() && linked.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&linked.stderr)
        );
        assert_eq!(needed(&program), expected, "{} {libraries:?}", source.display());
        run(Command::new(&program));
    }
}

#[test]
fn a_library_that_was_forgotten_is_missed_by_the_linker() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("program");
    let source = support::root().join("tests/c/mixed_add.c");
    for (libraries, missing) in [
        (&["-lascendcl", "-lnnopbase"][..], "aclnnAddGetWorkspaceSize"),
        (&["-lascendcl", "-lopapi"], "libnnopbase.so"),
        (&["-lnnopbase", "-lopapi"], "aclrt"),
        (&["-lascendcl", "-lnnopbase", "-lopapi_nn"], "aclnnAddGetWorkspaceSize"),
        (&["-lascendcl", "-lnnopbase", "-lopapi", "-lhccl", "-lcann_stubs"], ""),
        (&["-lcann_stubs"], "acl"),
    ] {
        let linked = link("gcc", "-std=c99", &source, libraries, &program);
        let told = String::from_utf8_lossy(&linked.stderr);
        assert_eq!(linked.status.success(), missing.is_empty(), "{libraries:?}: {told}");
        assert!(told.contains(missing), "{libraries:?}: {told}");
    }
}

#[test]
fn a_c99_program_adds_mixed_types() {
    assert_eq!(compile_and_run("gcc", "-std=c99", "mixed_add.c"), "2 4.5 1 5 7.5 4 \n");
}

#[test]
fn a_cpp17_program_uses_views_ranges_and_casts() {
    assert_eq!(compile_and_run("g++", "-std=c++17", "views_and_errors.cpp"), "all as expected\n");
}

/// What the quickstart prints, without the line that tells the backend.
#[cfg(feature = "emulator")]
fn quickstart(backend: &str) -> String {
    let output =
        support::example("quickstart").env("ACLNN_BACKEND", backend).output().expect("the example is built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed.lines().filter(|line| !line.starts_with("backend")).collect::<Vec<_>>().join("\n")
}

#[test]
#[cfg(feature = "emulator")]
fn the_quickstart_prints_the_same_through_dlopen() {
    let embedded = quickstart("emulator");
    assert!(embedded.contains("[[1.5, 2.5, 3.5],\n [1.5, 2.5, 3.5]]\nf32[2, 3] on device 0"), "{embedded}");
    assert_eq!(quickstart(&support::toolkit().join("lib64").to_string_lossy()), embedded);
}

/// Runs a program in every mode of the streams; it prints whether all was as it expected.
fn runs_in_every_mode(compiler: &str, standard: &str, source: &str, libraries: &[&str], devices: u32) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = compile(compiler, standard, source, directory.path(), libraries);
    for mode in ["lazy", "deferred", "worker", "inline"] {
        let mut command = on_devices(Command::new(&program), devices);
        let ran = command.env("CANN_STUBS_STREAMS", mode).output().expect("the program starts");
        let printed = printed(&ran);
        assert_eq!(printed, "all as expected\n", "{mode}");
    }
}

#[test]
fn a_c99_program_orders_streams_by_events_in_every_mode() {
    runs_in_every_mode("gcc", "-std=c99", "events_and_streams.c", OPERATORS, 2);
}

#[test]
fn a_cpp17_program_uses_callbacks_and_two_devices_in_every_mode() {
    runs_in_every_mode("g++", "-std=c++17", "callbacks_and_devices.cpp", OPERATORS, 2);
}

#[test]
fn a_c99_program_drives_all_devices_as_ranks_with_one_thread_in_every_mode() {
    runs_in_every_mode("gcc", "-std=c99", "all_devices.c", RANKS, 4);
}

#[test]
fn a_cpp17_program_sends_and_receives_around_a_ring_in_every_mode() {
    runs_in_every_mode("g++", "-std=c++17", "ring.cpp", RANKS, 4);
}

/// The expectation: rank `r` has the numbers `100 r + i`, of which it receives its part from each rank, three times the same
/// sum; rank 0 receives the largest.
#[test]
fn processes_of_a_c99_program_share_the_root_information_by_a_file() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = compile("gcc", "-std=c99", "root_info_file.c", directory.path(), RANKS);
    let start = |rank: u32| -> Child {
        let mut command = Command::new(&program);
        command.arg(rank.to_string()).arg("3").arg(directory.path().join("root"));
        on_devices(command, 1).spawn().expect("the program starts")
    };
    let ranks = [0, 1, 2].map(start);
    let ran = ranks.map(|rank| printed(&rank.wait_with_output().expect("the program ends")));
    let expected = [
        "by a file, rank 0: 600 603 606 609 612\n",
        "by a file, rank 1: 300 303 306 309 312\n",
        "by a file, rank 2: 600 603 606 609 612\n",
    ];
    assert_eq!(ran, expected);
}

/// Where the memory checker is installed: no program reads or writes what it must not, and none loses memory.
#[test]
fn programs_are_clean_under_a_memory_checker() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        support::skipped("valgrind is not installed");
        return;
    }
    let check = |compiler, standard, source| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let program = compile(compiler, standard, source, directory.path(), OPERATORS);
        let mut checked = Command::new("valgrind");
        checked.args([
            "--quiet",
            "--error-exitcode=9",
            "--leak-check=full",
            "--show-leak-kinds=all",
            "--errors-for-leak-kinds=definite,possible",
            // The arrays that getters give come from C's allocator, which C++ programs use too.
            "--show-mismatched-frees=no",
        ]);
        let mut suppressions = std::ffi::OsString::from("--suppressions=");
        suppressions.push(support::root().join("xtask/src/toolkit/valgrind.supp"));
        checked.arg(suppressions).arg(&program);
        run(checked);
    };
    // At once, since each takes seconds.
    thread::scope(|scope| {
        scope.spawn(|| check("gcc", "-std=c99", "mixed_add.c"));
        scope.spawn(|| check("g++", "-std=c++17", "views_and_errors.cpp"));
        scope.spawn(|| check("gcc", "-std=c99", "events_and_streams.c"));
        scope.spawn(|| check("g++", "-std=c++17", "callbacks_and_devices.cpp"));
    });
}
