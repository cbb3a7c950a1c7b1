//! `aclnn doctor`, on trees of files that stand for machines. Their layout is that of CANN's packages: the default places of the
//! releases, the directories of the driver, what `set_env.sh` sets.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::shell::{Printed, Shell};

const CANN: &str = "/usr/local/Ascend/cann";
const DRIVER: &str = "/usr/local/Ascend/driver";
const NODES: [&str; 4] = ["davinci0", "davinci_manager", "devmm_svm", "hisi_hdc"];

/// The numbers of processors in the head of a library.
const X86_64: u8 = 0x3e;
const AARCH64: u8 = 0xb7;

fn this_processor() -> u8 {
    if cfg!(target_arch = "aarch64") { AARCH64 } else { X86_64 }
}

/// A tree of files that stands for a machine, and the variables of a process on it.
struct Machine(Shell);

impl Machine {
    /// A machine with nothing of CANN.
    fn empty() -> Self {
        let machine = Self(Shell::new().with("ACLNN_BACKEND", "auto"));
        machine.file(
            "/proc/self/status",
            "Name:\taclnn\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t1000\n",
        );
        machine
    }

    /// A machine on which everything is as it should be.
    fn healthy() -> Self {
        Self::empty().driver().toolkit("cann-9.1.0").linked("cann-9.1.0").nodes().sourced(CANN)
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.0.path(&format!("root{path}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.0.path(&format!("root{path}"))).unwrap();
    }

    /// Writes the head of a library for a processor.
    fn library(&self, path: &str, processor: u8) {
        self.file(path, "");
        let mut head = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\0\0";
        head[18] = processor;
        fs::write(self.0.path(&format!("root{path}")), head).unwrap();
    }

    fn driver(self) -> Self {
        self.library(&format!("{DRIVER}/lib64/driver/libascend_hal.so"), this_processor());
        self.file("/etc/ascend_install.info", "Driver_Install_Path_Param=/usr/local/Ascend\n");
        self
    }

    fn toolkit(self, name: &str) -> Self {
        let root = format!("/usr/local/Ascend/{name}");
        for library in
            ["libacl_rt.so", "libascendcl.so", "libnnopbase.so", "libopapi_math.so", "libopapi_nn.so"]
        {
            self.library(&format!("{root}/lib64/{library}"), this_processor());
        }
        self.file(&format!("{root}/set_env.sh"), "");
        self.file(&format!("{root}/opp/version.info"), "");
        self
    }

    /// Makes `cann` lead to a release.
    fn linked(self, name: &str) -> Self {
        symlink(name, self.0.path(&format!("root{CANN}"))).unwrap();
        self
    }

    fn nodes(self) -> Self {
        NODES.iter().for_each(|name| self.node(name, 0o666));
        self
    }

    fn node(&self, name: &str, mode: u32) {
        let path = format!("/dev/{name}");
        self.file(&path, "");
        fs::set_permissions(self.0.path(&format!("root{path}")), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Sets the variables that the `set_env.sh` of a toolkit sets.
    fn sourced(self, root: &str) -> Self {
        let paths = format!("{root}/lib64:{DRIVER}/lib64:{DRIVER}/lib64/common:{DRIVER}/lib64/driver");
        self.with("ASCEND_HOME_PATH", root)
            .with("ASCEND_TOOLKIT_HOME", root)
            .with("ASCEND_OPP_PATH", &format!("{root}/opp"))
            .with("LD_LIBRARY_PATH", &paths)
    }

    fn with(self, name: &str, value: &str) -> Self {
        Self(self.0.with(name, value))
    }

    fn doctor(&self) -> Printed {
        self.0.run("aclnn doctor --root root")
    }

    fn doctor_in_chinese(&self) -> Printed {
        self.0.run_with("aclnn doctor --root root", &[("ACLNN_LANG", "zh")])
    }

    /// Compares what the doctor says with a snapshot, which has one problem, in one check.
    fn has_problem(&self, check: &str, snapshot: &str) {
        assert_eq!(self.doctor().is(snapshot).code, Some(1));
        let json = self.0.run("aclnn doctor --root root --json").json();
        let problems = json.as_array().unwrap().iter().filter(|one| one["outcome"] == "problem");
        let problems: Vec<_> =
            problems.map(|one| (one["check"].as_str().unwrap(), one["advice"].is_string())).collect();
        assert_eq!(problems, [(check, true)], "{json}");
        self.is_told_in_chinese();
    }

    /// Checks that problem and advice are in Chinese, in as many lines as in English.
    fn is_told_in_chinese(&self) {
        let (english, chinese) = (self.doctor().out, self.doctor_in_chinese().out);
        assert_eq!(english.lines().count(), chinese.lines().count(), "{chinese}");
        let told = chinese.lines().filter(|line| line.starts_with("问题") || line.contains('→'));
        let told: Vec<&str> = told.map(|line| line.rsplit("  ").next().unwrap()).collect();
        assert_eq!(told.len(), 2, "{chinese}");
        for text in told {
            let count = text.chars().filter(|letter| ('一'..='龥').contains(letter)).count();
            assert!(count > 1, "not in Chinese: {text}\n{chinese}");
        }
    }
}

#[test]
fn a_healthy_machine_has_no_problems() {
    assert_eq!(Machine::healthy().doctor().is("doctor/healthy").code, Some(0));
}

#[test]
fn a_machine_with_nothing_of_cann_has_no_problems_as_the_emulator_serves() {
    assert_eq!(Machine::empty().doctor().is("doctor/nothing").code, Some(0));
    // On this machine too, the last check names the library in use.
    let printed = Shell::new().run("aclnn doctor");
    assert!(
        printed.out.contains("in use") && printed.out.contains("the embedded emulator"),
        "{}",
        printed.out
    );
}

/// The advice is what to do, and not to ask another command that asks this one again.
#[test]
fn a_machine_with_nothing_of_cann_where_the_emulator_is_forbidden() {
    Machine::empty().with("ACLNN_BACKEND", "cann").has_problem("driver", "doctor/forbidden_emulator");
    let told = Shell::new().with("ACLNN_BACKEND", "cann").run("aclnn doctor").out;
    assert!(!told.contains("aclnn info"), "{told}");
}

#[test]
fn a_driver_without_a_toolkit() {
    Machine::empty().driver().nodes().has_problem("toolkit", "doctor/driver_without_toolkit");
}

#[test]
fn a_toolkit_without_a_driver() {
    let machine = Machine::empty().toolkit("cann-9.1.0").linked("cann-9.1.0").nodes().sourced(CANN);
    machine.has_problem("driver", "doctor/toolkit_without_driver");
}

#[test]
fn a_set_env_that_was_not_sourced() {
    let machine = Machine::empty().driver().toolkit("cann-9.1.0").linked("cann-9.1.0").nodes();
    machine.has_problem("set_env.sh", "doctor/not_sourced");
    // The place of releases up to 8.3.
    let machine = Machine::empty().driver().toolkit("ascend-toolkit/8.3").nodes();
    symlink("8.3", machine.0.path("root/usr/local/Ascend/ascend-toolkit/latest")).unwrap();
    let told = machine.doctor().out;
    assert!(told.contains("source /usr/local/Ascend/ascend-toolkit/latest/set_env.sh"), "{told}");
}

#[test]
fn a_variable_that_names_an_empty_place() {
    let machine = Machine::healthy().with("ASCEND_TOOLKIT_HOME", "/opt/gone");
    machine.has_problem("toolkit", "doctor/empty_place");
}

#[test]
fn a_toolkit_that_is_not_whole() {
    let machine = Machine::healthy();
    machine.remove(&format!("{CANN}/lib64/libopapi_math.so"));
    machine.remove(&format!("{CANN}/lib64/libopapi_nn.so"));
    machine.has_problem("toolkit", "doctor/incomplete");
}

#[test]
fn directories_of_two_installations() {
    let machine = Machine::healthy().toolkit("cann-8.5.0");
    let paths = "/usr/local/Ascend/cann-8.5.0/lib64:/usr/local/Ascend/cann/lib64";
    machine.with("LD_LIBRARY_PATH", paths).has_problem("one CANN", "doctor/mixed");
    let machine = Machine::healthy().toolkit("cann-8.5.0");
    let machine = machine.with("ASCEND_OPP_PATH", "/usr/local/Ascend/cann-8.5.0/opp");
    assert!(machine.doctor().out.contains("the variables name several"));
    // A link and what it leads to are one.
    let machine = Machine::healthy().with("ASCEND_TOOLKIT_HOME", "/usr/local/Ascend/cann-9.1.0");
    assert_eq!(machine.doctor().code, Some(0));
}

#[test]
fn a_container_without_device_nodes() {
    let machine = Machine::empty().driver().toolkit("cann-9.1.0").linked("cann-9.1.0").sourced(CANN);
    machine.file("/.dockerenv", "");
    machine.node("davinci_manager", 0o666);
    machine.has_problem("device nodes", "doctor/container_without_nodes");
}

#[test]
fn a_host_without_device_nodes() {
    let machine = Machine::healthy();
    NODES.iter().for_each(|name| machine.remove(&format!("/dev/{name}")));
    machine.has_problem("device nodes", "doctor/host_without_nodes");
}

#[test]
fn a_user_who_may_not_use_the_nodes() {
    let machine = Machine::healthy();
    let own = fs::metadata(machine.0.path("root/dev/davinci0")).unwrap();
    let (uid, gid) = {
        use std::os::unix::fs::MetadataExt as _;
        (own.uid() + 7, own.gid())
    };
    machine.file(
        "/proc/self/status",
        &format!("Uid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\nGroups:\t{uid}\n"),
    );
    machine.file("/etc/group", &format!("HwHiAiUser:x:{gid}:\n"));
    machine.node("davinci0", 0o660);
    let machine = Machine(machine.0.hiding(format!("user {uid}"), "user 1000"));
    machine.has_problem("permission", "doctor/no_permission");
    // One of the group may.
    machine.file(
        "/proc/self/status",
        &format!("Uid:\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\nGroups:\t{uid} {gid}\n"),
    );
    assert_eq!(machine.doctor().code, Some(0));
}

#[test]
fn variables_that_hide_every_device() {
    let machine = Machine::healthy().with("ASCEND_RT_VISIBLE_DEVICES", "4,5");
    machine.has_problem("visible devices", "doctor/hidden_devices");
    let machine = Machine::healthy().with("ASCEND_RT_VISIBLE_DEVICES", "0");
    assert_eq!(machine.doctor().code, Some(0));
}

#[test]
fn libraries_for_another_processor() {
    let (other, name) = if this_processor() == X86_64 { (AARCH64, "aarch64") } else { (X86_64, "x86_64") };
    let machine = Machine::healthy();
    machine.library(&format!("{CANN}/lib64/libnnopbase.so"), other);
    let machine = Machine(machine.0.hiding(name, "OTHER"));
    machine.has_problem("processor", "doctor/other_processor");
    machine.file(&format!("{CANN}/lib64/libnnopbase.so"), "cut");
    assert!(machine.doctor().out.contains("libnnopbase.so: it is no library"));
}

#[test]
fn stand_ins_for_linking_on_the_path() {
    let machine = Machine::healthy();
    let directory = "/usr/local/Ascend/cann-9.1.0/devlib";
    machine.library(&format!("{directory}/libascendcl.so"), this_processor());
    let paths = format!("{CANN}/lib64:{CANN}/devlib");
    machine.with("LD_LIBRARY_PATH", &paths).has_problem("stand-ins", "doctor/stand_ins");
}

#[test]
fn custom_operators_that_are_not_there() {
    let machine = Machine::healthy().with("ASCEND_CUSTOM_OPP_PATH", "/opt/vendors/acme");
    machine.has_problem("custom operators", "doctor/custom_operators");
    machine.file("/opt/vendors/acme/op_api/lib/libcust_opapi.so", "");
    assert_eq!(machine.doctor().code, Some(0));
    machine.file(&format!("{CANN}/opp/vendors/config.ini"), "load_priority=gone\n");
    assert!(
        machine.doctor().out.contains("vendors/config.ini names /usr/local/Ascend/cann/opp/vendors/gone")
    );
}

#[test]
fn a_misspelt_backend() {
    let machine = Machine::healthy().with("ACLNN_BACKEND", "emulater");
    machine.has_problem("ACLNN_BACKEND", "doctor/misspelt_backend");
}

#[test]
fn drop_in_libraries_need_no_driver() {
    let machine = Machine::empty().toolkit("drop-in").with("ACLNN_CANN_PATH", "/usr/local/Ascend/drop-in");
    machine.library("/usr/local/Ascend/drop-in/lib64/libcann_stubs.so", this_processor());
    assert_eq!(machine.doctor().is("doctor/drop_in").code, Some(0));
}

#[test]
fn the_doctor_speaks_chinese_where_the_locale_does() {
    let machine = Machine::empty().driver().toolkit("cann-9.1.0").linked("cann-9.1.0");
    machine.doctor_in_chinese().is("doctor/chinese");
    let by_locale = machine.0.run_with("aclnn doctor --root root", &[("LANG", "zh_CN.UTF-8")]).out;
    assert_eq!(by_locale, machine.doctor_in_chinese().out);
    let settings = [("LANG", "zh_CN.UTF-8"), ("ACLNN_LANG", "en")];
    assert_eq!(machine.0.run_with("aclnn doctor --root root", &settings).out, machine.doctor().out);
    // Programs read JSON.
    let json = machine.0.run_with("aclnn doctor --root root --json", &settings[..1]).out;
    assert!(json.is_ascii(), "{json}");
    let healthy = Machine::healthy().doctor_in_chinese().out;
    assert!(healthy.ends_with("\n没有问题\n") && !healthy.contains(" is "), "{healthy}");
}

/// The last check is about the library that this process uses, which is the same on every machine.
#[test]
fn the_library_in_use_is_told_in_chinese() {
    let settings = [("ACLNN_LANG", "zh"), ("ACLNN_BACKEND", "emulator")];
    let told = Shell::new().run_with("aclnn doctor", &settings).out;
    let line = told.lines().find(|line| line.contains("使用的库")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.ends_with("内置模拟器（CPU）：ACLNN_BACKEND 要求使用它"), "{line}");
}
