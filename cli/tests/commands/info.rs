//! `aclnn info`.

use crate::libraries;
use crate::shell::Shell;

/// Hides the system of this machine, and how many operators there are, which changes often.
fn hidden(line: &str) -> String {
    match line.split_whitespace().next() {
        Some("aclnn") => "aclnn      0.1.0, SYSTEM".to_owned(),
        Some("compiler") => "compiler   COMPILER".to_owned(),
        Some("operators") => line
            .split(' ')
            .map(|word| if word.parse::<u32>().is_ok() { "N" } else { word })
            .collect::<Vec<_>>()
            .join(" "),
        _ => line.to_owned(),
    }
}

#[test]
fn what_serves_is_told_on_one_screen() {
    let printed = Shell::new().with("CANN_STUBS_DEVICES", "2").run("aclnn info");
    assert!(printed.out.lines().all(|line| line.chars().count() <= 100), "{}", printed.out);
    // What `rustc --version` prints here; another compiler may have built the command, but not in this test.
    let compiler = std::process::Command::new("rustc").arg("--version").output().unwrap();
    let compiler = String::from_utf8(compiler.stdout).unwrap();
    assert!(printed.out.contains(&format!("compiler   {}", compiler.trim())), "{}", printed.out);
    let printed = printed.changing(hidden).is("info/emulator");
    assert!(printed.out.lines().count() < 25);
}

#[test]
fn drop_in_libraries_are_told_with_what_they_are() {
    // A name of one length: where lines break depends on it.
    let shell = Shell::new().with("ACLNN_BACKEND", "drop-in");
    std::os::unix::fs::symlink(libraries::toolkit(), shell.path("drop-in")).unwrap();
    shell.run("aclnn info").changing(hidden).is("info/drop_in");
    let json = shell.run("aclnn info --json").json();
    assert_eq!(json["versions"]["runtime"], "9.1.0+emulated");
    assert_eq!(json["devices"][0]["product"], "Ascend910B");
    assert_eq!(json["operators"]["declared"], json["operators"]["present"]);
}

#[test]
fn nothing_that_serves_is_told_with_what_was_tried() {
    let shell = Shell::new().with("ACLNN_BACKEND", "libraries");
    let printed = shell.run("aclnn info").changing(hidden).is("info/nothing_serves");
    assert_eq!(printed.code, Some(1));
    let json = shell.run("aclnn info --json").json();
    assert!(
        json["backend"].is_null() && json["error"].as_str().unwrap().contains("no usable CANN"),
        "{json}"
    );
}

/// A release of which nearly all functions are missing, and which sees no device.
#[test]
fn functions_that_are_missing_are_told_by_library_and_release() {
    let shell = Shell::new();
    let directory = shell.path("old");
    std::fs::create_dir(&directory).unwrap();
    libraries::build(
        &directory,
        "int aclInit(const char *path) { return 0; }
         int aclFinalize(void) { return 0; }
         int aclrtGetDeviceCount(uint32_t *count) { *count = 0; return 0; }
         int aclrtGetVersion(int32_t *a, int32_t *b, int32_t *c) { *a = 1; *b = 16; *c = 0; return 0; }
         int aclsysGetCANNVersion(int name, char *version) { return 100003; }
         int aclnnAddGetWorkspaceSize(void) { return 0; }
         int aclnnAdd(void) { return 0; }",
    );
    let shell = shell.with("ACLNN_BACKEND", "old");
    // With new operators there are new releases.
    let is_of_operators = |line: &str| {
        // The names of one go on in the next line.
        line.starts_with("missing    operators,") || line.starts_with(' ') && line.contains("aclnn")
    };
    shell.run("aclnn info").changing(hidden).without(is_of_operators).is("info/old_release");
    let json = shell.run("aclnn info --json").json();
    let from = |library: &str, since: &str| -> Vec<&str> {
        let groups = json["missing"].as_array().unwrap().iter();
        let mut groups = groups.filter(|one| one["library"] == library && one["since"] == since);
        let symbols = groups.next().unwrap_or_else(|| panic!("{json}"))["symbols"].as_array().unwrap();
        symbols.iter().map(|symbol| symbol.as_str().unwrap()).collect()
    };
    // Releases by the list of the published functions.
    assert!(from("runtime", "9.1.0").contains(&"aclrtMemPoolTrimTo"));
    assert!(from("runtime", "8.0.RC1").contains(&"aclGetDeviceCapability"));
    assert_eq!(json["operators"]["present"], 1);
    assert_eq!(json["devices"], serde_json::json!([]));
    let all = shell.run("aclnn info --missing").out;
    assert!(all.contains("aclrtMemPoolTrimTo") && !all.contains(" more)"));
}
