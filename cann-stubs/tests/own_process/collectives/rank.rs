//! Ranks for tests: a device, a stream and a communicator each, as threads or as processes.

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::ptr::null_mut;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use std::{fs, process, thread};

use aclnn_sys::*;

use crate::support::runtime::{call, ok};
use crate::support::{child, message};

pub(super) static HCCL: LazyLock<Collectives> = LazyLock::new(|| Collectives::load(&cann_stubs::source()));

/// Calls a function of HCCL.
macro_rules! hccl {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the tests pass what the functions ask for, or what they have to refuse without touching it.
        unsafe { $crate::collectives::rank::HCCL.$name($($argument),*) }.unwrap()
    };
}
pub(super) use hccl;

/// Fails the test unless a function of HCCL succeeded.
macro_rules! done {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let code = $crate::collectives::rank::hccl!($name($($argument),*));
        assert_eq!(code, aclnn_sys::HCCL_SUCCESS, "{}: {}", stringify!($name), $crate::support::message());
    }};
}
pub(super) use done;

/// A rank on the current device of the thread.
pub(super) struct Rank {
    pub(super) comm: HcclComm,
    pub(super) stream: *mut c_void,
    pub(super) rank: usize,
    pub(super) ranks: usize,
}

pub(super) fn root() -> HcclRootInfo {
    let mut info = HcclRootInfo { internal: [0; 4108] };
    done!(HcclGetRootInfo(&mut info));
    info
}

impl Rank {
    /// Joins a group with a device that is set first.
    pub(super) fn join(info: &HcclRootInfo, rank: usize, ranks: usize, device: i32) -> Self {
        ok!(aclrtSetDevice(device));
        let (mut comm, mut stream) = (null_mut(), null_mut());
        ok!(aclrtCreateStream(&mut stream));
        done!(HcclCommInitRootInfo(ranks as u32, info, rank as u32, &mut comm));
        Rank { comm, stream, rank, ranks }
    }

    /// Waits, and expects that the stream has failed with a code of HCCL and a message.
    pub(super) fn fails(&self, code: HcclResult, told: &[&str]) {
        let waited = self.waited();
        let message = message();
        assert_eq!(waited, code.0.cast_signed(), "rank {}: {message}", self.rank);
        told.iter().for_each(|part| assert!(message.contains(part), "rank {}: {message}", self.rank));
    }

    pub(super) fn wait(&self) {
        ok!(aclrtSynchronizeStream(self.stream));
    }

    /// The code of the wait for the stream.
    pub(super) fn waited(&self) -> i32 {
        call!(aclrtSynchronizeStream(self.stream))
    }

    pub(super) fn leave(self) {
        done!(HcclCommDestroy(self.comm));
        ok!(aclrtDestroyStream(self.stream));
    }
}

/// Waits until this process has neither memory nor files of any group. The limit only turns what stays into a failure.
pub(super) fn nothing_is_left() {
    let of_groups = || -> Vec<String> {
        let files = fs::read_dir("/proc/self/fd").unwrap().flatten();
        let files = files.filter_map(|file| fs::read_link(file.path()).ok());
        let files = files.map(|file| file.to_string_lossy().into_owned());
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let shared = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let shared = shared.map(|file| file.path().to_string_lossy().into_owned());
        let all = files.chain(maps.lines().map(str::to_owned)).chain(shared);
        all.filter(|name| name.contains("cann-stubs group")).collect()
    };
    let end = Instant::now() + Duration::from_secs(60);
    while !of_groups().is_empty() {
        assert!(Instant::now() < end, "{:?}", of_groups());
        thread::sleep(Duration::from_millis(1));
    }
}

/// Ends the process where its thread panics: the other ranks would wait for this one for ever.
struct FailsAll;

impl Drop for FailsAll {
    fn drop(&mut self) {
        if thread::panicking() {
            process::exit(101);
        }
    }
}

/// Runs `body` on each rank of a group, a thread and a device for each. Nothing of the group is left afterwards.
pub(super) fn threads(ranks: usize, body: impl Fn(&Rank) + Sync) {
    ok!(aclrtSetDevice(0));
    let info = root();
    thread::scope(|scope| {
        for rank in 0..ranks {
            let (info, body) = (&info, &body);
            scope.spawn(move || {
                let _all = FailsAll;
                let own = Rank::join(info, rank, ranks, rank as i32);
                body(&own);
                own.leave();
            });
        }
    });
    nothing_is_left();
}

const RANK: &str = "TEST_RANK";
const RANKS: &str = "TEST_RANKS";
const INFO: &str = "TEST_ROOT_INFO";

/// The command that starts a process of a group.
fn command(test: &str, rank: usize, ranks: usize, info: &Path) -> Command {
    let mut command = child::command(test);
    command.envs(std::env::vars().filter(|(name, _)| name.starts_with("CANN_STUBS_")));
    command.env(RANK, rank.to_string()).env(RANKS, ranks.to_string()).env(INFO, info);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The rank that this process was started as, of a test that starts processes.
pub(super) fn of_process() -> Option<Rank> {
    let number = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    let (rank, ranks) = (number(RANK)?, number(RANKS)?);
    let bytes = fs::read(std::env::var_os(INFO)?).unwrap();
    let mut info = HcclRootInfo { internal: [0; 4108] };
    info.internal.iter_mut().zip(bytes).for_each(|(place, byte)| *place = c_char::from_ne_bytes([byte]));
    Some(Rank::join(&info, rank, ranks, 0))
}

/// Runs `body` on each rank, a process for each, of which this one is rank 0. All must succeed but for `dies`.
pub(super) fn processes(test: &str, ranks: usize, dies: Option<usize>, body: impl Fn(&Rank)) {
    if let Some(own) = of_process() {
        body(&own);
        return own.leave();
    }
    ok!(aclrtSetDevice(0));
    let info = root();
    let file = tempfile_of(&info);
    let others: Vec<Child> =
        (1..ranks).map(|rank| command(test, rank, ranks, &file).spawn().unwrap()).collect();
    let own = Rank::join(&info, 0, ranks, 0);
    fs::remove_file(&file).unwrap();
    body(&own);
    own.leave();
    nothing_is_left();
    for (rank, other) in (1..).zip(others) {
        let output = other.wait_with_output().unwrap();
        if dies == Some(rank) {
            assert!(!output.status.success());
            continue;
        }
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success() && told[0].contains("1 passed"), "{}{}", told[0], told[1]);
    }
}

fn tempfile_of(info: &HcclRootInfo) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("cann-stubs-test-{}", std::process::id()));
    let bytes: Vec<u8> = info.internal.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
    fs::write(&path, bytes).unwrap();
    path
}
