//! Callers on several threads.

use std::thread;

use aclnn::{DType, Stream, Tensor};
use anyhow::{Result, anyhow};

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, good};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "threads-with-streams-of-their-own",
        "Threads that compute on streams of their own get the results of their own calls.",
        with_streams_of_their_own,
    ),
    Check::new(
        "threads-share-a-stream",
        "Threads that compute on one stream get the results of their own calls.",
        on_one_stream,
    ),
    Check::new(
        "handles-cross-threads",
        "Memory and streams that one thread made are used and ended by another, which makes the context its own.",
        across,
    ),
];

const THREADS: i32 = 4;
const ROUNDS: i32 = 16;

/// What each thread computes, on the stream that it is given.
fn compute(stream: &Stream, own: i32) -> Result<()> {
    for round in 0..ROUNDS {
        let x = Tensor::full(stream, [1000 + own as usize], own, DType::I32)?;
        let found = x.mul(round)?.add(own)?.to_vec::<i32>()?;
        let expected = own * round + own;
        if found.iter().any(|value| *value != expected) {
            return Err(anyhow!("thread {own} got {found:?} instead of {expected} in round {round}"));
        }
    }
    Ok(())
}

fn on_threads(stream: impl Fn() -> aclnn::Result<Stream> + Sync) -> Findings {
    let mut findings = Findings::default();
    let results: Vec<Result<()>> = thread::scope(|scope| {
        let stream = &stream;
        let threads: Vec<_> =
            (1..=THREADS).map(|own| scope.spawn(move || compute(&stream()?, own))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))))
            .collect()
    });
    for result in results {
        findings.holds(result.is_ok(), || result.err().map(|error| format!("{error:#}")).unwrap_or_default());
    }
    findings
}

fn with_streams_of_their_own(setting: &Setting) -> Result<Answer> {
    Ok(on_threads(|| Stream::new(&setting.device)).answer())
}

fn on_one_stream(setting: &Setting) -> Result<Answer> {
    let stream = Stream::new(&setting.device)?;
    Ok(on_threads(|| Ok(stream.clone())).answer())
}

/// Handles on their way to another thread.
struct Sent<T>(T);

// SAFETY: handles and addresses are numbers for the runtime, which any thread may use that has the context.
unsafe impl<T> Send for Sent<T> {}

fn across(setting: &Setting) -> Result<Answer> {
    let (stream, memory) = (setting.stream()?, setting.memory(1 << 16)?);
    let sent = Sent((stream, memory));
    let found = thread::scope(|scope| {
        let work = scope.spawn(move || -> Result<Vec<u8>> {
            let sent = sent;
            let (stream, memory) = sent.0;
            setting.bind()?;
            good!(setting, aclrtMemsetAsync(memory.handle, 1 << 16, 5, 1 << 16, stream.handle));
            good!(setting, aclrtSynchronizeStream(stream.handle));
            setting.download::<u8>(memory.handle, 1 << 16)
        });
        work.join().unwrap_or_else(|_| Err(anyhow!("the thread panicked")))
    })?;
    let mut findings = Findings::default();
    findings.holds(found.iter().all(|byte| *byte == 5), || "the bytes were not set".to_owned());
    Ok(findings.answer())
}
