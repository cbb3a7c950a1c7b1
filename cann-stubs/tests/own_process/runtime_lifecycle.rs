//! Beginning and end of the emulated runtime.

use std::ptr::{null, null_mut};

use aclnn_sys::*;

use crate::support::child::{self, this_test};
use crate::support::runtime::*;

#[test]
fn initialisation_counts_its_users() {
    child::with(this_test!(), &[], || {
        let mut left = 9;
        assert_eq!(call!(aclFinalize()), ACL_ERROR_REPEAT_FINALIZE);
        assert_eq!(call!(aclFinalizeReference(&mut left)), ACL_ERROR_REPEAT_FINALIZE);
        for _ in 0..2 {
            ok!(aclInit(null()));
            assert_eq!(call!(aclInit(null())), ACL_ERROR_REPEAT_INITIALIZE);
            ok!(aclFinalizeReference(&mut left));
            assert_eq!(left, 1);
            ok!(aclFinalizeReference(null_mut()));
            assert_eq!(call!(aclFinalizeReference(null_mut())), ACL_ERROR_REPEAT_FINALIZE);
        }
        ok!(aclInit(null()));
        assert_eq!(call!(aclInit(null())), ACL_ERROR_REPEAT_INITIALIZE);
        ok!(aclFinalize());
        assert_eq!(call!(aclFinalize()), ACL_ERROR_REPEAT_FINALIZE);
    });
}

#[test]
fn configurations_are_compared() {
    child::with(this_test!(), &[], || {
        let folder = std::env::temp_dir().join(format!("cann-stubs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            std::ffi::CString::new(path.to_str().unwrap()).unwrap()
        };
        let (one, same, other) = (file("one", "{}"), file("same", "{}"), file("other", "{\"dump\": {}}"));
        assert_eq!(call!(aclInit(file("bad", "dump = 1").as_ptr())), ACL_ERROR_PARSE_FILE);
        assert_eq!(call!(aclInit(c"/nowhere/acl.json".as_ptr())), ACL_ERROR_INVALID_FILE);
        ok!(aclInit(one.as_ptr()));
        assert_eq!(call!(aclInit(same.as_ptr())), ACL_ERROR_REPEAT_INITIALIZE);
        assert_eq!(call!(aclInit(null())), ACL_ERROR_REPEAT_INITIALIZE);
        assert_eq!(call!(aclInit(other.as_ptr())), ACL_ERROR_INVALID_PARAM);
        ok!(aclFinalize());
        std::fs::remove_dir_all(folder).unwrap();
    });
}

/// A file of its own, gone with the value.
struct Configuration(std::path::PathBuf);

impl Configuration {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cann-stubs-{name}-{}.json", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Configuration(path)
    }

    fn init(&self) -> i32 {
        let path = std::ffi::CString::new(self.0.to_str().unwrap()).unwrap();
        call!(aclInit(path.as_ptr()))
    }
}

impl Drop for Configuration {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_thread_that_never_set_a_device_uses_the_default_one() {
    child::with(this_test!(), &[], || {
        let used = || {
            let mut device = 9;
            (call!(aclrtGetDevice(&mut device)), device)
        };
        assert_eq!(finish(&spawn(used)).0, ACL_ERROR_RT_CONTEXT_NULL);
        for absent in [
            r#"{"defaultDevice": {"default_device": "2"}}"#,
            r#"{"defaultDevice": {"default_device": "-1"}}"#,
        ] {
            assert_eq!(Configuration::new("absent", absent).init(), ACL_ERROR_RT_INVALID_DEVICEID);
        }
        let wrong = r#"{"defaultDevice": {"default_device": "one"}}"#;
        assert_eq!(Configuration::new("wrong", wrong).init(), ACL_ERROR_INVALID_PARAM);
        assert_eq!(call!(aclFinalize()), ACL_ERROR_REPEAT_FINALIZE, "nothing was initialised");

        assert_eq!(Configuration::new("default", r#"{"defaultDevice": {"default_device": "1"}}"#).init(), 0);
        let bare = spawn(move || {
            assert_eq!(used(), (0, 1));
            // Everything works: memory and its size, streams, work.
            assert_eq!(free_memory(), MEMORY);
            let (pointer, stream) = (malloc(4), create_stream());
            ok!(aclrtMemsetAsync(pointer, 4, 7, 4, stream));
            ok!(aclrtSynchronizeStream(stream));
            assert_eq!(download(pointer, 4), [7; 4]);
            ok!(aclrtMemsetAsync(pointer, 4, 8, 4, null_mut()));
            ok!(aclrtSynchronizeDevice());
            assert_eq!(download(pointer, 4), [8; 4]);
            ok!(aclrtDestroyStream(stream));
            free(pointer);
            // A device that is set comes first.
            ok!(aclrtSetDevice(0));
            assert_eq!(used(), (0, 0));
            ok!(aclrtResetDevice(0));
            assert_eq!(used().0, ACL_ERROR_RT_CONTEXT_NULL, "this thread has set one");
        });
        finish(&bare);
        let (mut flags, mut active) = (0, 9);
        ok!(aclrtGetPrimaryCtxState(1, &mut flags, &mut active));
        assert_eq!(active, 1);
        // Using it by default does not count: who sets it and resets it ends it, and the next use begins anew.
        let left = finish(&spawn(|| {
            ok!(aclrtSetDevice(1));
            let left = malloc(4).addr();
            ok!(aclrtResetDevice(1));
            left
        }));
        let fresh = move || (free_memory(), call!(aclrtFree(std::ptr::without_provenance_mut(left))));
        assert_eq!(finish(&spawn(fresh)), (MEMORY, ACL_ERROR_RT_PARAM_INVALID));
        ok!(aclFinalize());
        ok!(aclrtGetPrimaryCtxState(1, &mut flags, &mut active));
        assert_eq!(active, 0);
        assert_eq!(finish(&spawn(used)).0, ACL_ERROR_RT_CONTEXT_NULL, "the default ends with the runtime");
    });
}

#[test]
fn what_a_configuration_says_without_effect_is_told_once() {
    let body = || {
        let text = r#"{"dump": {"dump_path": "/tmp"}, "profiler": {"switch": "on"}, "defaultDevice": {"default_device": "0"}}"#;
        for _ in 0..3 {
            assert_eq!(Configuration::new("told", text).init(), 0);
            ok!(aclFinalize());
        }
        assert_eq!(Configuration::new("silent", r#"{"defaultDevice": {"default_device": "0"}}"#).init(), 0);
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("cann-stubs: ")).collect();
    assert!(
        matches!(&*told, [line] if line.contains("dump, profiler") && line.contains("no effect")),
        "{text}"
    );
}

#[test]
fn finalising_ends_everything_and_everything_begins_anew() {
    child::with(this_test!(), &[], || {
        ok!(aclInit(null()));
        ok!(aclrtSetDevice(0));
        let (pointer, target) = (malloc(4), malloc(4));
        let (stream, event) = (create_stream(), create_event());
        let mut host = [0u8; 4];
        ok!(aclrtMemset(pointer, 4, 5, 4));
        ok!(aclrtMemcpyAsync(host.as_mut_ptr().cast(), 4, pointer, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        let mut context = null_mut();
        ok!(aclrtCreateContext(&mut context, 1));
        let mut pinned = null_mut();
        ok!(aclrtMallocHost(&mut pinned, 8));
        ok!(aclFinalize());
        assert_eq!(host, [5; 4], "what was queued ran");

        let mut device = 0;
        assert_eq!(call!(aclrtGetDevice(&mut device)), ACL_ERROR_RT_CONTEXT_NULL);
        assert_eq!(call!(aclrtSetCurrentContext(context)), ACL_ERROR_RT_PARAM_INVALID);
        ok!(aclInit(null()));
        ok!(aclrtSetDevice(0));
        assert_eq!(free_memory(), MEMORY);
        for code in [
            call!(aclrtFree(target)),
            call!(aclrtDestroyStream(stream)),
            call!(aclrtDestroyEvent(event)),
            call!(aclrtDestroyContext(context)),
        ] {
            assert_eq!(code, ACL_ERROR_RT_PARAM_INVALID);
        }
        ok!(aclrtFreeHost(pinned));
        ok!(aclFinalize());
    });
}
