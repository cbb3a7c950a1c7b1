//! A child as its parent sees it: started, listened to with a limit, and started again after it died.

use std::io::{self, BufReader, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::child::Task;
use super::frame::{Frame, Hello, receive};
use crate::report::FailureKind;

/// Which libraries a child uses.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Libraries {
    /// Those that the environment chooses.
    UnderTest,
    /// The embedded emulator as a device of this SoC.
    Reference { soc: String },
}

/// What became of a case.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    Frame(Frame),
    /// The process ended before it answered; how, and its last words.
    Died(String),
    /// The time of the case ended first.
    Hung,
    /// It was not tried, as many cases of the operator ended so.
    GivenUp(FailureKind),
}

/// A child that runs the cases of a task from some number on.
pub(super) struct Process {
    libraries: Libraries,
    task: Task,
    timeout: Duration,
    running: Option<Running>,
}

struct Running {
    child: Child,
    socket: BufReader<UnixStream>,
    last_words: Arc<Mutex<Vec<u8>>>,
}

/// How long a process may take until it knows its device, beside the time of a case.
const START: Duration = Duration::from_secs(60);

/// How long to wait before a process is started once more.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// How many of the last bytes on standard error are kept.
const LAST_WORDS: usize = 2000;

impl Process {
    pub(super) fn new(libraries: Libraries, task: Task, timeout: Duration) -> Self {
        Self { libraries, task, timeout, running: None }
    }

    /// Starts the child, and returns what it says first.
    ///
    /// # Errors
    /// It ended before, or nothing serves it.
    pub(super) fn start(&mut self, from: usize) -> anyhow::Result<Hello> {
        self.stop();
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["verify", "--child", "--seed", &self.task.seed.to_string()]);
        command.args(["--device", &self.task.device.to_string(), "--from", &from.to_string()]);
        if self.task.selection.full {
            command.arg("--full");
        }
        if self.task.selection.quick {
            command.arg("--quick");
        }
        if self.task.explains {
            command.arg("--explain");
        }
        for filter in &self.task.selection.filters {
            command.arg(format!("--filter={filter}"));
        }
        if let Libraries::Reference { soc } = &self.libraries {
            for (name, _) in std::env::vars_os() {
                if name.to_string_lossy().starts_with("CANN_STUBS_") {
                    command.env_remove(name);
                }
            }
            command.env("ACLNN_BACKEND", "emulator");
            // Products that the emulator does not know are compared with the one that it is by itself.
            if aclnn_numerics::product::Product::from_soc_name(soc).is_some() {
                command.env("CANN_STUBS_SOC", soc);
            }
            // As many devices as the number of the one under test needs.
            command.env("CANN_STUBS_DEVICES", (self.task.device + 1).clamp(1, 64).to_string());
        }
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("aclnn verify starts itself")?;
        // The parent's copy of the other end is closed with the command, so that the end of the child is seen.
        drop(command);
        let last_words = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut stderr) = child.stderr.take() {
            let words = Arc::clone(&last_words);
            thread::spawn(move || {
                let mut buffer = [0; 512];
                while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                    let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
                    words.extend_from_slice(&buffer[..count]);
                    let surplus = words.len().saturating_sub(LAST_WORDS);
                    words.drain(..surplus);
                }
            });
        }
        ours.set_read_timeout(Some(self.timeout + START))?;
        let mut running = Running { child, socket: BufReader::new(ours), last_words };
        let hello = receive::<Hello>(&mut running.socket);
        running.socket.get_ref().set_read_timeout(Some(self.timeout))?;
        self.running = Some(running);
        match hello {
            Ok(Some(hello)) => Ok(hello),
            Ok(None) => bail!("the process ended at once: {}", self.epitaph()),
            Err(error) if is_late(&error) => bail!("the process did not find its device in time"),
            Err(error) => Err(error.into()),
        }
    }

    /// Starts another child for one that ended: a device may need some time after a crash.
    fn start_again(&mut self, from: usize) -> anyhow::Result<Hello> {
        for pause in PAUSES {
            if let Ok(hello) = self.start(from)
                && hello.environment.error.is_none()
            {
                return Ok(hello);
            }
            thread::sleep(pause);
        }
        self.start(from).context("no process starts after one that ended")
    }

    /// Returns what became of a case, which is the next one that the child runs.
    pub(super) fn answer(&mut self, number: usize) -> anyhow::Result<Answer> {
        if self.running.is_none() {
            self.start_again(number)?;
        }
        let Some(running) = &mut self.running else { bail!("the process did not start") };
        match receive::<Frame>(&mut running.socket) {
            Ok(Some(frame)) => {
                anyhow::ensure!(frame.number == number, "a child ran case {} for {number}", frame.number);
                if frame.ends_the_process() {
                    self.stop();
                }
                Ok(Answer::Frame(frame))
            }
            Ok(None) => Ok(Answer::Died(self.epitaph())),
            Err(error) if is_late(&error) => {
                self.stop();
                Ok(Answer::Hung)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns what a child tells until it ends or is silent for too long.
    pub(super) fn frames(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        if let Some(running) = &mut self.running {
            while let Ok(Some(frame)) = receive::<Frame>(&mut running.socket) {
                frames.push(frame);
            }
        }
        self.stop();
        frames
    }

    /// Says how the child ended.
    fn epitaph(&mut self) -> String {
        let Some(mut running) = self.running.take() else { return String::new() };
        let ended = match running.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        // What it wrote before it died is still on its way.
        thread::sleep(Duration::from_millis(20));
        let words = running.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words = String::from_utf8_lossy(&words);
        match words.trim() {
            "" => ended,
            words => format!("{ended}: {words}"),
        }
    }

    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
