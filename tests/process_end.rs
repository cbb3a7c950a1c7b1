//! A process may end in any way, whatever lives in it: with the code that it ends with, and without a word.
//!
//! This is a program of its own, so that it ends as programs do. Started by hand it starts itself once for everything that
//! may live, every way to end, and every kind of libraries.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread;

use aclnn::{DType, Device, Error, Event, HostBuffer, Stream, Tensor, Transfer, ops};

mod support;

/// Where the handles are when the process ends.
const PLACES: [&str; 6] = ["local", "static", "thread-local", "leaked", "working thread", "waiting thread"];

/// How it ends, and the code that it ends with.
const ENDS: [(&str, i32); 4] = [("return", 5), ("exit", 7), ("exit of a thread", 9), ("panic", 101)];

/// Some of everything, with work in flight.
#[allow(dead_code, reason = "only kept")]
struct Handles {
    tensors: Vec<Tensor>,
    streams: [Stream; 2],
    event: Event,
    buffer: HostBuffer<f32>,
    transfers: [Transfer<f32>; 2],
    device: Device,
}

const COUNT: usize = 1 << 16;

fn handles() -> Result<Handles, Error> {
    let device = Device::open(0)?;
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let mut first = Tensor::ones(&streams[0], [COUNT], DType::F32)?;
    let upload = first.upload(HostBuffer::from_slice(&device, &[1.5f32; COUNT])?)?;
    let mut tensors = vec![first];
    for stream in streams.iter().cycle().take(10) {
        let next = tensors.last().map(|last| ops::add(last, 1).on(stream).run());
        tensors.extend(next.transpose()?);
    }
    let download = tensors[5].download(HostBuffer::<f32>::zeroed(&device, COUNT)?)?;
    drop(tensors[3].download(HostBuffer::<f32>::zeroed(&device, COUNT)?)?);
    let event = streams[1].record()?;
    let buffer = HostBuffer::zeroed(&device, 3)?;
    assert_eq!(tensors[1].slice(0, 0..2)?.to_vec::<f32>()?, [2.5; 2]);
    Ok(Handles { tensors, streams, event, buffer, transfers: [upload, download], device })
}

fn child(place: &str, end: &str) -> Result<ExitCode, Error> {
    static KEPT: OnceLock<Handles> = OnceLock::new();
    thread_local!(static LAST: RefCell<Option<Handles>> = const { RefCell::new(None) });

    let mut local = None;
    match place {
        "local" => local = Some(handles()?),
        "static" => _ = KEPT.set(handles()?),
        "thread-local" => {
            // Used first, so that it goes last: after what the libraries keep for the thread.
            LAST.with_borrow_mut(|last| last.take());
            LAST.set(Some(handles()?));
        }
        "leaked" => std::mem::forget(handles()?),
        _ => {
            let (ready, is_ready) = channel();
            let works = place == "working thread";
            thread::spawn(move || -> Result<(), Error> {
                LAST.set(Some(handles()?));
                let own = handles()?;
                let _ = ready.send(());
                if !works {
                    loop {
                        thread::park();
                    }
                }
                loop {
                    let sum = own.tensors[0].add(&own.tensors[1])?;
                    drop(sum.download(HostBuffer::<f32>::zeroed(&own.device, COUNT)?)?);
                    sum.slice(0, 0..2)?.to_vec::<f32>()?;
                }
            });
            is_ready.recv().expect("the thread has its handles");
        }
    }
    match end {
        "exit" => std::process::exit(7),
        "exit of a thread" => {
            let _ = thread::spawn(|| std::process::exit(9)).join();
        }
        "panic" => panic!("on purpose"),
        _ => {}
    }
    drop(local);
    Ok(ExitCode::from(5))
}

/// What is written to standard error, but for the panic that was asked for.
fn complaints(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let expected = ["panicked at", "on purpose", "note: run with `RUST_BACKTRACE"];
    let lines =
        text.lines().filter(|line| !line.is_empty() && !expected.iter().any(|part| line.contains(part)));
    lines.collect::<Vec<_>>().join("\n")
}

fn main() -> Result<ExitCode, Error> {
    if let Some(case) = std::env::var_os("ACLNN_TEST_CHILD") {
        let case = case.to_string_lossy().into_owned();
        let (place, end) = case.split_once(": ").expect("a place and an end");
        return child(place, end);
    }
    let program = std::env::current_exe().expect("the path of this program");
    let mut backends = vec![support::toolkit().join("lib64")];
    if cfg!(feature = "emulator") {
        backends.push("emulator".into());
    }
    // As on a machine with NPUs.
    backends.extend(std::env::var_os("ACLNN_BACKEND").map(PathBuf::from));
    let mut failed = Vec::new();
    let mut count = 0;
    for backend in &backends {
        for streams in ["lazy", "deferred", "worker"] {
            for (place, (end, code)) in PLACES.iter().flat_map(|place| ENDS.map(|end| (place, end))) {
                let child = Command::new(&program)
                    .env("ACLNN_TEST_CHILD", format!("{place}: {end}"))
                    .env("ACLNN_BACKEND", backend)
                    .env("CANN_STUBS_STREAMS", streams)
                    .env("CANN_STUBS_CHECK", "error")
                    .env_remove("RUST_BACKTRACE")
                    .output()
                    .expect("this program starts");
                count += 1;
                let told = complaints(&child.stderr);
                if child.status.code() != Some(code) || !told.is_empty() || !child.stdout.is_empty() {
                    failed.push(format!("{backend:?} {streams} {place}, {end}: {}: {told}", child.status));
                }
            }
        }
    }
    println!("{count} ends, {} of them not clean", failed.len());
    failed.iter().for_each(|failure| println!("{failure}"));
    Ok(ExitCode::from(u8::from(!failed.is_empty())))
}
