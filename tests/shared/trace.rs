//! What the feature `tracing` tells, to a subscriber of the program and to the one that `ACLNN_LOG` asks for.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::process::Output;
use std::sync::{Arc, Mutex, PoisonError};

use aclnn::{Backend, DType, Device, Error, HostBuffer, Tensor};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber, span, subscriber::Interest};

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is told to a subscriber up to a level.
fn told(level: Level, work: impl FnOnce() -> Result<(), Error>) -> Result<Vec<String>, Error> {
    let text = Text::default();
    let writer = text.clone();
    let subscriber = tracing_subscriber::fmt()
        .without_time()
        .with_max_level(level)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, work)?;
    let bytes = text.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(String::from_utf8_lossy(&bytes).lines().map(|line| line.trim().to_owned()).collect())
}

#[test]
fn operators_and_copies_are_told() -> Outcome {
    let device = Device::open(0)?;
    let work = || {
        let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
        let sum = a.add(&Tensor::from_slice(&device, &[4i8], [1])?)?;
        assert_eq!(sum.to_vec::<f32>()?, [5.0, 6.0, 7.0]);
        Ok(())
    };
    let lines = told(Level::DEBUG, work)?;
    let find = |parts: &[&str]| lines.iter().any(|line| parts.iter().all(|part| line.contains(part)));
    assert!(find(&["aclnn::copy: host to device", "bytes=12", "time="]), "{lines:#?}");
    assert!(find(&["aclnn::copy: host to device", "bytes=1 "]), "{lines:#?}");
    // One byte, converted to four.
    assert!(find(&["name=\"aclnnCast\"", "self i8[1], out f32[1]", "bytes=5}", "queued"]), "{lines:#?}");
    let add = ["name=\"aclnnAdd\"", "self f32[3], other f32[1], out f32[3]", "bytes=28}", "queued", "time="];
    assert!(find(&add), "{lines:#?}");
    assert!(find(&["aclnn::copy: device to host", "bytes=12"]), "{lines:#?}");
    assert_eq!(told(Level::INFO, work)?, [""; 0]);
    Ok(())
}

#[test]
fn copies_beside_the_host_are_told() -> Outcome {
    let device = Device::open(0)?;
    let mut tensor = Tensor::zeros(&device, [5], DType::F32)?;
    let lines = told(Level::DEBUG, || {
        let buffer = tensor.upload(HostBuffer::from_slice(&device, &[2.5f32; 5])?)?.wait()?;
        assert_eq!(*tensor.download(buffer)?.wait()?, [2.5; 5]);
        Ok(())
    })?;
    for way in ["host to device, queued", "device to host, queued"] {
        let queued = |line: &&String| line.contains(way) && line.contains("bytes=20");
        assert_eq!(lines.iter().filter(queued).count(), 1, "{way}: {lines:#?}");
    }
    Ok(())
}

/// Runs `as_a_program` in a process of its own and gives what it prints on the standard error.
fn program(variables: &[(&str, &str)]) -> io::Result<String> {
    let Output { status, stderr, stdout } = support::alone(module_path!(), "as_a_program")
        .args(["--ignored", "--nocapture"])
        .env_remove("ACLNN_LOG")
        .envs(variables.iter().copied())
        .output()?;
    let text = String::from_utf8_lossy(&stderr).into_owned();
    assert!(status.success(), "{text}{}", String::from_utf8_lossy(&stdout));
    Ok(text)
}

#[test]
#[ignore = "other tests start it in a process of its own"]
fn as_a_program() -> Outcome {
    if std::env::var_os("ACLNN_TEST_OWN").is_some() {
        tracing_subscriber::fmt().with_max_level(Level::ERROR).with_writer(io::stderr).init();
    }
    let device = Device::open(0)?;
    let ones = Tensor::ones(&device, [1 << 20], DType::F32)?;
    let outcome = ones.add(1.0);
    assert_eq!(outcome.is_err(), std::env::var_os("CANN_STUBS_FAIL").is_some(), "{outcome:?}");
    drop((ones, outcome));
    device.trim()?;
    Ok(())
}

#[test]
fn the_variable_prints() -> Outcome {
    assert_eq!(program(&[])?, "");
    assert_eq!(program(&[("ACLNN_LOG", "")])?, "");
    assert_eq!(program(&[("ACLNN_LOG", "off")])?, "");

    let info = program(&[("ACLNN_LOG", "info")])?;
    assert!(
        info.contains("INFO aclnn::backend: ") && info.contains("INFO aclnn::device: opened device=0"),
        "{info}"
    );
    assert!(!info.contains("DEBUG"), "{info}");

    let debug = program(&[("ACLNN_LOG", "debug")])?;
    assert!(debug.contains("name=\"aclnnAdds\""), "{debug}");
    let bytes = |of: &str| -> Option<u64> { debug.split_once(of)?.1.lines().next()?.parse().ok() };
    let taken = bytes("aclnn::memory: taken from the device bytes=");
    // One segment for both tensors of 4 MiB, which goes back whole.
    assert!(taken.is_some_and(|bytes| bytes >= 2 * 4_194_304), "{debug}");
    assert_eq!(bytes("aclnn::memory: given back to the device bytes="), taken, "{debug}");

    let operators = program(&[("ACLNN_LOG", "aclnn::operator=debug")])?;
    assert!(operators.contains("aclnnAdds"), "{operators}");
    assert!(operators.lines().all(|line| line.contains("aclnn::operator: ")), "{operators}");

    let word = program(&[("ACLNN_LOG", "loud")])?;
    assert!(word.contains("ACLNN_LOG=loud is taken for info; give off, error"), "{word}");
    assert!(word.contains("INFO aclnn::device") && !word.contains("DEBUG"), "{word}");

    assert_eq!(program(&[("ACLNN_LOG", "debug"), ("ACLNN_TEST_OWN", "1")])?, "", "the program's own stays");
    Ok(())
}

#[test]
fn failures_are_told() -> Outcome {
    if !support::is_embedded()? {
        return Ok(());
    }
    let text = program(&[("ACLNN_LOG", "debug"), ("CANN_STUBS_FAIL", "aclnnAdds=561000")])?;
    let failed = text.lines().find(|line| line.contains("aclnnAdds") && line.contains(": failed time="));
    assert!(failed.is_some_and(|line| line.contains("error=aclnnAdds(self f32[1048576]")), "{text}");
    Ok(())
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// A tensor that the subscriber below reads.
    static READ: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// Uses the library whenever it is asked or told something, on the second device.
struct Hostile;

impl Hostile {
    fn act() {
        if INSIDE.replace(true) {
            return;
        }
        let act = || -> Result<(), Error> {
            assert!(Backend::get()?.describe().contains("emulator"));
            let other = Device::open(1)?;
            assert_eq!(Tensor::ones(&other, [2], DType::F32)?.add(1)?.to_vec::<f32>()?, [2.0; 2]);
            READ.with_borrow(|read| read.as_ref().map(|tensor| tensor.to_vec::<f32>()).transpose())?;
            other.trim()
        };
        act().unwrap_or_else(|error| unreachable!("{error}"));
        INSIDE.set(false);
    }
}

impl Subscriber for Hostile {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Self::act();
        // Not for ever: it wants to be asked each time.
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        Self::act();
        true
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        Self::act();
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {
        Self::act();
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {
        Self::act();
    }

    fn event(&self, _: &Event<'_>) {
        Self::act();
    }

    fn enter(&self, _: &span::Id) {
        Self::act();
    }

    fn exit(&self, _: &span::Id) {
        Self::act();
    }
}

#[test]
fn a_subscriber_that_uses_another_device_disturbs_no_call() -> Outcome {
    let test = "a_subscriber_that_uses_another_device_disturbs_no_call";
    let two = [("CANN_STUBS_DEVICES", "2"), ("CANN_STUBS_CHECK", "error")];
    if std::env::var_os("ACLNN_TEST_CHILD").is_none() && !support::is_emulated()? {
        return Ok(());
    }
    if !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    // Before the libraries are chosen, of which it is told, too.
    tracing::subscriber::set_global_default(Hostile)?;
    support::use_of_the_first_of_two_devices()?;
    // Nothing is told while it is locked.
    let device = Device::open(0)?;
    let mut tensor = Tensor::zeros(&device, [6], DType::F32)?;
    READ.set(Some(tensor.clone()));
    tensor.copy_from_slice(&[1.5f32; 6])?;
    let buffer = tensor.upload(HostBuffer::from_slice(&device, &[2.5f32; 6])?)?.wait()?;
    assert_eq!(*tensor.download(buffer)?.wait()?, [2.5; 6]);
    READ.set(None);
    drop(tensor);
    device.close()?;
    Ok(())
}
