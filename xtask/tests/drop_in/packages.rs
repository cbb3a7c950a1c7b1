//! The packages that bring the drop-in libraries to programs: CMake, pkg-config, an archive, and a wheel for Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use yaml_rust2::YamlLoader;

use super::{TOOLKIT, wheels};

/// Runs a command that must succeed, and returns what it prints.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {out}{errors}");
    out.into_owned()
}

/// A program in C that checks its own results.
fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/c/mixed_add.c")
}

/// Returns the block of a language on the page for authors of C and C++.
fn block_of_the_page(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/c_and_cpp.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = page.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
    block.unwrap_or_else(|| panic!("the page has no block of {language}")).to_owned()
}

/// The page shows a project of CMake and a workflow: this is a runner that does its steps.
#[test]
fn the_workflow_of_the_page_builds_and_tests_a_project() {
    if Command::new("cmake").arg("--version").output().is_err() {
        println!("skipped: cmake is not installed");
        return;
    }
    let project = tempfile::tempdir().unwrap();
    std::fs::copy(program(), project.path().join("program.c")).unwrap();
    std::fs::write(project.path().join("CMakeLists.txt"), block_of_the_page("cmake")).unwrap();
    let archive = TOOLKIT.parent().unwrap().with_extension("tar.gz");
    std::fs::copy(archive, project.path().join("cann-emulator.tar.gz")).unwrap();
    let workflow = &YamlLoader::load_from_str(&block_of_the_page("yaml")).unwrap()[0];
    let steps = workflow["jobs"]["emulator"]["steps"].as_vec().unwrap();
    let mut scripts = 0;
    for step in steps {
        let Some(script) = step["run"].as_str() else { continue };
        let mut command = Command::new("bash");
        command.args(["-e", "-c", script]).current_dir(&project).env_remove("LD_LIBRARY_PATH");
        for (name, value) in step["env"].as_hash().into_iter().flatten() {
            command.env(name.as_str().unwrap(), value.as_str().unwrap());
        }
        let told = printed(&mut command);
        if script.starts_with("ctest") {
            assert!(told.contains("100% tests passed, 0 tests failed out of 1"), "{told}");
        }
        scripts += 1;
    }
    assert_eq!(scripts, 3);
}

#[test]
fn pkg_config_and_the_archive_lead_to_the_libraries() {
    let place = tempfile::tempdir().unwrap();
    let archive = TOOLKIT.parent().unwrap().with_extension("tar.gz");
    printed(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(place.path()));
    let entries: Vec<PathBuf> =
        std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [root] = entries.as_slice() else { panic!("not one directory: {entries:?}") };
    assert!(root.file_name().unwrap().to_str().unwrap().starts_with("cann-emulator-"), "{root:?}");
    assert!(root.join("share/cann-emulator/messages.zh.tsv").is_file());
    if Command::new("pkg-config").arg("--version").output().is_err() {
        println!("skipped: pkg-config is not installed");
        return;
    }
    let flags = printed(
        Command::new("pkg-config")
            .args(["--cflags", "--libs", "cann-emulator"])
            .env("PKG_CONFIG_PATH", root.join("share/pkgconfig")),
    );
    let example = place.path().join("example");
    printed(Command::new("gcc").arg(program()).args(flags.split_whitespace()).arg("-o").arg(&example));
    printed(Command::new(&example).env_remove("LD_LIBRARY_PATH"));
}

/// Python with the wheel and nothing else, in a directory whose name a shell has to quote; none where Python is missing.
static PYTHON: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it's a place");
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(&directory).output();
    if !made.as_ref().is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 with its module venv is not installed: {made:?}");
        return None;
    }
    LazyLock::force(&TOOLKIT);
    let wheel: Vec<PathBuf> =
        std::fs::read_dir(wheels()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let python = directory.join("bin/python");
    printed(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--no-index"]).args(&wheel));
    Some(python)
});

/// Compares installed files with the list that the wheel has of them.
const CHECK_RECORD: &str = "import base64, hashlib, importlib.metadata
files = [file for file in importlib.metadata.files('cann-emulator') if file.hash]
for file in files:
    digest = hashlib.sha256(file.read_binary()).digest()
    assert base64.urlsafe_b64encode(digest).rstrip(b'=').decode() == file.hash.value, file
    assert file.size == len(file.read_binary()), file
assert len(files) > 1000
print(importlib.metadata.version('cann-emulator'))
";

#[test]
fn pip_accepts_the_wheel() {
    let Some(python) = &*PYTHON else { return };
    printed(Command::new(python).args(["-m", "pip", "check"]));
    assert_eq!(
        printed(Command::new(python).args(["-c", CHECK_RECORD])).trim_end(),
        env!("CARGO_PKG_VERSION")
    );
}

/// Counts the devices through a library that is found by its name alone.
const COUNT_DEVICES: &str = "import ctypes
library = ctypes.CDLL('libascendcl.so')
count = ctypes.c_uint32()
assert library.aclInit(None) == 0
assert library.aclrtGetDeviceCount(ctypes.byref(count)) == 0
print(count.value)
";

#[test]
fn python_programs_use_the_wheel() {
    let Some(path) = &*PYTHON else { return };
    let python = || {
        let mut command = Command::new(path);
        command.env_remove("LD_LIBRARY_PATH").env("CANN_STUBS_DEVICES", "3");
        command
    };
    let module =
        |arguments: &[&str]| python().args(["-m", "cann_emulator"]).args(arguments).output().unwrap();

    // The package leads to its libraries by itself, or its command does, for one program or for a shell.
    let import = format!("import cann_emulator\n{COUNT_DEVICES}");
    assert_eq!(printed(python().arg("-c").arg(import)), "3\n");
    let run = ["-m", "cann_emulator", "run", "--"];
    assert_eq!(printed(python().args(run).arg(path).args(["-c", COUNT_DEVICES])), "3\n");
    // Another library of that name is not found first.
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("libascendcl.so"), "").unwrap();
    let line = r#"eval "$("$0" -m cann_emulator env)"; "#;
    let shell = |before: Option<&Path>, script: &str| {
        let mut sh = Command::new("sh");
        sh.arg("-euc").arg(script).arg(path).env("CANN_STUBS_DEVICES", "3");
        match before {
            Some(path) => sh.env("LD_LIBRARY_PATH", path),
            None => sh.env_remove("LD_LIBRARY_PATH"),
        };
        printed(&mut sh)
    };
    for before in [None, Some(other.path()), Some(Path::new(""))] {
        let script = format!("{line}\"$0\" -c \"{COUNT_DEVICES}\"");
        assert_eq!(shell(before, &script), "3\n", "{before:?}");
    }
    // The variables are those of the script of the toolkit, even if they are set already.
    let home = String::from_utf8(module(&["path"]).stdout).unwrap();
    let set_env = format!(r#"cd "{}"; . ./set_env.sh; "#, home.trim_end());
    let show = "env | grep -E '^(ASCEND_|LD_LIBRARY_PATH=)' | sort";
    for before in [None, Some(other.path())] {
        let expected = shell(before, &format!("{set_env}{show}"));
        assert_eq!(expected.lines().count(), 5, "{expected}");
        assert_eq!(shell(before, &format!("{line}{show}")), expected);
        assert_eq!(shell(before, &format!("{line}{line}{show}")), expected);
        assert_eq!(shell(before, &format!("{set_env}{line}{show}")), expected);
    }
}

#[test]
fn the_wheel_says_what_is_wrong() {
    let Some(python) = &*PYTHON else { return };
    let other = TOOLKIT.join("libascendcl.so");
    let late = format!("import ctypes; ctypes.CDLL('{}'); import cann_emulator", other.display());
    for (arguments, status, message) in [
        (&["-m", "cann_emulator"][..], 2, "usage: python -m cann_emulator"),
        (&["-m", "cann_emulator", "env", "bash"], 2, "unrecognized arguments: bash"),
        (&["-m", "cann_emulator", "run"], 1, "name the command"),
        (&["-m", "cann_emulator", "run", "--", "no-such-program"], 127, "no-such-program: No such file"),
        (&["-m", "cann_emulator", "run", "sh", "-c", "echo no >&2; exit 3"], 3, "no"),
        (&["-c", &late], 1, "already loaded: import cann_emulator before torch"),
    ] {
        let output = Command::new(python).args(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(status) && errors.contains(message),
            "{arguments:?}: {output:?}"
        );
    }
}
