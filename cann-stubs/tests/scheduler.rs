//! The scheduler under a model checker: streams, events, callbacks and waits for devices, in every mode, through many
//! orders of their threads.
//!
//! The threads here are tasks of `shuttle`, which decides at every lock and every counter who goes on. A thread that waits
//! for ever is reported as a deadlock, one that turns in circles as a run of too many steps; both print a schedule that
//! `shuttle::replay` repeats. `SCHEDULER_SEED` chooses other orders, `SCHEDULER_RUNS` more of them:
//!
//! ```sh
//! cargo test -p cann-stubs --features model --test scheduler
//! ```

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::env;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::str::FromStr;
use std::sync::Arc;

use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use serial_test::serial;
use shuttle::rand::Rng;
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::sync::Barrier;
use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use shuttle::sync::mpsc::channel;
use shuttle::thread::{self, JoinHandle};
use shuttle::{Config, Runner};
use support::runtime::{Sent, call, create_event, create_stream, free, malloc, ok};

fn setting<T: FromStr>(name: &str, default: T) -> T {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn explore(modes: &[Mode], body: fn()) {
    explore_longer(1, modes, body);
}

/// Runs `body` on a new runtime again and again, half of the times with priorities that seldom change, which keeps a
/// thread out for long; `times` as often as usual.
fn explore_longer(times: usize, modes: &[Mode], body: fn()) {
    let (seed, runs) = (setting("SCHEDULER_SEED", 1), times * setting("SCHEDULER_RUNS", 100));
    for &mode in modes {
        eprintln!("{}", mode.name());
        let _mode = control::streams_everywhere(mode);
        let program = move || {
            // Again after a test that failed in the middle.
            call!(aclInit(null()));
            ok!(aclrtSetDevice(0));
            body();
            ok!(aclrtResetDeviceForce(0));
            // Nothing is destroyed by hand, which would be told.
            let _level = control::check(Level::Off);
            ok!(aclFinalize());
        };
        let mut config = Config::new();
        config.stack_size = 1 << 19;
        config.silence_warnings = true;
        Runner::new(RandomScheduler::new_from_seed(seed, runs), config.clone()).run(program);
        Runner::new(PctScheduler::new_from_seed(seed, 4, runs), config).run(program);
    }
}

/// A thread that has set the device.
fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    thread::spawn(move || {
        ok!(aclrtSetDevice(0));
        let result = body();
        ok!(aclrtResetDevice(0));
        result
    })
}

type Body = Box<dyn FnOnce() + Send>;

unsafe extern "C" fn run(body: *mut c_void) {
    // SAFETY: `as_argument` made it, and it is called once.
    let body = unsafe { Box::from_raw(body.cast::<Body>()) };
    body();
}

fn as_argument(body: impl FnOnce() + Send + 'static) -> *mut c_void {
    let body: Body = Box::new(body);
    Box::into_raw(Box::new(body)).cast()
}

/// Queues a function on a stream; the result tells whether it has run.
fn queue(stream: *mut c_void) -> Arc<AtomicBool> {
    let ran = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&ran);
    let body = move || {
        // Takes its time.
        thread::yield_now();
        set.store(true, SeqCst);
    };
    ok!(aclrtLaunchHostFunc(stream, Some(run), as_argument(body)));
    ran
}

fn create_notify() -> *mut c_void {
    let mut notify = null_mut();
    ok!(aclrtCreateNotify(&mut notify, 0));
    notify
}

/// This thread as `aclrtSubscribeReport` wants it.
fn own_number() -> u64 {
    usize::from(shuttle::current::me()) as u64
}

#[test]
#[serial]
fn random_programs_on_shared_streams_and_events_end() {
    explore(&Mode::ALL, || {
        let streams = [create_stream(), create_stream()].map(Sent);
        let events = [create_event(), create_event()].map(Sent);
        let memory = [malloc(8), malloc(8)].map(Sent);
        let threads: Vec<_> = (0..3)
            .map(|_| {
                spawn(move || {
                    let mut random = shuttle::rand::thread_rng();
                    let (mut queued, mut notify) = (Vec::new(), Some(create_notify()));
                    for _ in 0..5 {
                        let index = random.gen_range(0..2);
                        let stream = streams[index].get();
                        let event = events[random.gen_range(0..2)].get();
                        let (mut state, mut status) = (ACL_STREAM_STATUS_RESERVED, ACL_EVENT_STATUS_RESERVED);
                        match random.gen_range(0..13) {
                            0 | 1 => queued.push(queue(stream)),
                            2 => ok!(aclrtRecordEvent(event, stream)),
                            3 => ok!(aclrtStreamWaitEvent(stream, event)),
                            4 => ok!(aclrtStreamQuery(stream, &mut state)),
                            5 => ok!(aclrtQueryEvent(event, &mut status)),
                            6 => ok!(aclrtSynchronizeStream(stream)),
                            7 => ok!(aclrtSynchronizeEvent(event)),
                            8 => ok!(aclrtMemsetAsync(memory[index].get(), 8, 1, 8, stream)),
                            10 => {
                                let mut pinned = null_mut();
                                ok!(aclrtMallocHost(&mut pinned, 8));
                                let memory = malloc(8);
                                ok!(aclrtMemcpyAsync(
                                    memory,
                                    8,
                                    pinned,
                                    8,
                                    ACL_MEMCPY_HOST_TO_DEVICE,
                                    stream
                                ));
                                ok!(aclrtSynchronizeStream(stream));
                                ok!(aclrtFreeHost(pinned));
                                free(memory);
                            }
                            9 => {
                                // A second signal before the first is taken would be lost, as on a device.
                                if let Some(notify) = notify.take() {
                                    ok!(aclrtRecordNotify(notify, stream));
                                    ok!(aclrtWaitAndResetNotify(
                                        notify,
                                        streams[random.gen_range(0..2)].get(),
                                        0
                                    ));
                                }
                            }
                            _ => ok!(aclrtSynchronizeDevice()),
                        }
                    }
                    ok!(aclrtSynchronizeDevice());
                    assert!(queued.iter().all(|ran| ran.load(SeqCst)), "waited for, and not run");
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
#[serial]
fn random_programs_that_abort_and_destroy_end() {
    explore(&Mode::ALL, || {
        let streams = [create_stream(), create_stream(), create_stream()].map(Sent);
        let events = [create_event(), create_event()].map(Sent);
        let threads: Vec<_> = (0..3)
            .map(|_| {
                spawn(move || {
                    let mut random = shuttle::rand::thread_rng();
                    for _ in 0..5 {
                        let stream = streams[random.gen_range(0..3)].get();
                        let event = events[random.gen_range(0..2)].get();
                        let body = as_argument(thread::yield_now);
                        // What a call gives depends on who was faster; it must only end.
                        match random.gen_range(0..10) {
                            0 | 1 => call!(aclrtLaunchHostFunc(stream, Some(run), body)),
                            2 => call!(aclrtRecordEvent(event, stream)),
                            3 => call!(aclrtStreamWaitEvent(stream, event)),
                            4 => call!(aclrtSynchronizeStream(stream)),
                            5 => call!(aclrtSynchronizeEvent(event)),
                            6 => call!(aclrtStreamAbort(stream)),
                            7 => call!(aclrtDestroyStream(stream)),
                            8 => call!(aclrtDestroyStreamForce(stream)),
                            _ => call!(aclrtSynchronizeDevice()),
                        };
                    }
                    ok!(aclrtSynchronizeDevice());
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
#[serial]
fn streams_of_two_threads_wait_for_each_other() {
    explore(&Mode::ALL, || {
        let (streams, events) = ([create_stream(), create_stream()], [create_event(), create_event()]);
        let order = Arc::new(AtomicUsize::new(0));
        // One function after the other, although every second one is on the other stream.
        for step in 0..4 {
            let (own, other) = (step % 2, 1 - step % 2);
            let order = Arc::clone(&order);
            let body = move || assert_eq!(order.fetch_add(1, SeqCst), step);
            ok!(aclrtLaunchHostFunc(streams[own], Some(run), as_argument(body)));
            ok!(aclrtRecordEvent(events[own], streams[own]));
            ok!(aclrtStreamWaitEvent(streams[other], events[own]));
        }
        let threads =
            streams.map(Sent).map(|stream| spawn(move || ok!(aclrtSynchronizeStream(stream.get()))));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(order.load(SeqCst), 4);
    });
}

/// A thread that waits at a signal runs other streams meanwhile, but not their functions, which may wait for its own.
#[test]
#[serial]
fn functions_of_streams_behind_signals_meet() {
    explore(&Mode::ALL, || {
        let (giver, meeting) = (create_stream(), Arc::new(Barrier::new(2)));
        let (notifies, streams) =
            ([(); 2].map(|()| create_notify()), [(); 2].map(|()| Sent(create_stream())));
        for (notify, stream) in notifies.into_iter().zip(streams) {
            let meeting = Arc::clone(&meeting);
            ok!(aclrtWaitAndResetNotify(notify, stream.get(), 0));
            let meets = as_argument(move || {
                meeting.wait();
            });
            ok!(aclrtLaunchHostFunc(stream.get(), Some(run), meets));
        }
        let threads = streams.map(|stream| spawn(move || ok!(aclrtSynchronizeStream(stream.get()))));
        notifies.into_iter().for_each(|notify| ok!(aclrtRecordNotify(notify, giver)));
        ok!(aclrtSynchronizeStream(giver));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
#[serial]
fn inline_work_is_done_when_the_call_returns_also_while_another_thread_runs_the_stream() {
    explore(&[Mode::Inline], || {
        let stream = Sent(create_stream());
        let waiting = spawn(|| (0..2).for_each(|_| ok!(aclrtSynchronizeDevice())));
        let threads = [(); 2].map(|()| {
            spawn(move || {
                for _ in 0..2 {
                    assert!(queue(stream.get()).load(SeqCst), "the call returned before its work was done");
                }
            })
        });
        threads.into_iter().chain([waiting]).for_each(|thread| thread.join().unwrap());
    });
}

#[test]
#[serial]
fn work_runs_although_nobody_looks() {
    explore(&[Mode::Worker, Mode::Inline], || {
        let (streams, event, notify) = ([create_stream(), create_stream()], create_event(), create_notify());
        let (sender, receiver) = channel();
        // The second stream waits for the first by an event, the first for the second by a signal.
        ok!(aclrtWaitAndResetNotify(notify, streams[0], 0));
        ok!(aclrtRecordEvent(event, streams[0]));
        ok!(aclrtRecordNotify(notify, streams[1]));
        ok!(aclrtStreamWaitEvent(streams[1], event));
        let (shared, waiting) = (Sent(streams[1]), Sent(streams[0]));
        let sends = move || sender.send(()).unwrap();
        ok!(aclrtLaunchHostFunc(shared.get(), Some(run), as_argument(sends)));
        let waits = spawn(move || ok!(aclrtSynchronizeStream(waiting.get())));
        receiver.recv().unwrap();
        waits.join().unwrap();
    });
}

#[test]
#[serial]
fn what_waits_behind_a_signal_goes_on_by_itself() {
    explore(&[Mode::Worker, Mode::Inline], || {
        let (streams, notify) = ([create_stream(), create_stream()].map(Sent), Sent(create_notify()));
        let (sender, receiver) = channel();
        ok!(aclrtWaitAndResetNotify(notify.get(), streams[0].get(), 0));
        let sends = move || sender.send(()).unwrap();
        ok!(aclrtLaunchHostFunc(streams[0].get(), Some(run), as_argument(sends)));
        let gives = spawn(move || ok!(aclrtRecordNotify(notify.get(), streams[1].get())));
        receiver.recv().unwrap();
        gives.join().unwrap();
    });
}

#[test]
#[serial]
fn a_signal_reaches_a_waiting_thread_although_its_giver_does_not_look() {
    explore(&Mode::ALL, || {
        let (streams, notify) = ([create_stream(), create_stream()].map(Sent), Sent(create_notify()));
        ok!(aclrtWaitAndResetNotify(notify.get(), streams[0].get(), 0));
        let ran = queue(streams[0].get());
        let waits = [spawn(|| ok!(aclrtSynchronizeDevice())), {
            let stream = streams[0];
            spawn(move || ok!(aclrtSynchronizeStream(stream.get())))
        }];
        ok!(aclrtRecordNotify(notify.get(), streams[1].get()));
        waits.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(ran.load(SeqCst));
    });
}

#[test]
#[serial]
fn a_value_that_the_host_sets_reaches_a_waiting_thread() {
    explore(&Mode::ALL, || {
        let (stream, word) = (Sent(create_stream()), malloc(8));
        ok!(aclrtMemset(word, 8, 0, 8));
        ok!(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream.get()));
        let waits = spawn(move || ok!(aclrtSynchronizeStream(stream.get())));
        let sent = Sent(word);
        let sets = spawn(move || ok!(aclrtMemset(sent.get(), 8, 1, 8)));
        [waits, sets].into_iter().for_each(|thread| thread.join().unwrap());
        free(word);
    });
}

#[test]
#[serial]
fn callbacks_reach_their_thread_and_the_end_of_the_stream_does_too() {
    explore(&Mode::ALL, || {
        let (stream, ran) = (create_stream(), Arc::new(AtomicUsize::new(0)));
        let (ready, is_ready) = channel();
        let sent = Sent(stream);
        let processor = spawn(move || {
            ok!(aclrtSubscribeReport(own_number(), sent.get()));
            ready.send(()).unwrap();
            loop {
                match call!(aclrtProcessReport(-1)) {
                    0 => {}
                    code => return code,
                }
            }
        });
        is_ready.recv().unwrap();
        let refused = spawn(move || call!(aclrtSubscribeReport(own_number(), sent.get())));
        for block in [ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK] {
            let ran = Arc::clone(&ran);
            let body = move || {
                ran.fetch_add(1, SeqCst);
            };
            ok!(aclrtLaunchCallback(Some(run), as_argument(body), block, stream));
        }
        let after = queue_behind(stream, &ran, 2);
        let waits = spawn(|| ok!(aclrtSynchronizeDevice()));
        ok!(aclrtSynchronizeStream(stream));
        assert!(after.load(SeqCst), "the stream went on before its callbacks had run");
        waits.join().unwrap();
        assert_eq!(refused.join().unwrap(), ACL_ERROR_RT_STREAM_SUBSCRIBE);
        ok!(aclrtDestroyStream(stream));
        assert_eq!(processor.join().unwrap(), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    });
}

/// Marks an event-free point of a stream at which `count` has to have a value.
fn queue_behind(stream: *mut c_void, count: &Arc<AtomicUsize>, value: usize) -> Arc<AtomicBool> {
    let (count, right) = (Arc::clone(count), Arc::new(AtomicBool::new(false)));
    let event = create_event();
    ok!(aclrtRecordEvent(event, stream));
    let other = create_stream();
    ok!(aclrtStreamWaitEvent(other, event));
    let result = Arc::clone(&right);
    let body = move || right.store(count.load(SeqCst) >= value, SeqCst);
    ok!(aclrtLaunchHostFunc(other, Some(run), as_argument(body)));
    // The first stream waits for the function in turn.
    ok!(aclrtRecordEvent(event, other));
    ok!(aclrtStreamWaitEvent(stream, event));
    result
}

#[test]
#[serial]
fn a_callback_behind_a_signal_reaches_its_thread_although_nobody_looks() {
    explore(&Mode::ALL, || {
        let (streams, notify) = ([create_stream(), create_stream()].map(Sent), create_notify());
        let (ready, is_ready) = channel();
        let processor = spawn(move || {
            ok!(aclrtSubscribeReport(own_number(), streams[0].get()));
            ready.send(()).unwrap();
            ok!(aclrtProcessReport(-1));
            ok!(aclrtUnSubscribeReport(own_number(), streams[0].get()));
        });
        is_ready.recv().unwrap();
        ok!(aclrtWaitAndResetNotify(notify, streams[0].get(), 0));
        ok!(aclrtLaunchCallback(Some(run), as_argument(|| ()), ACL_CALLBACK_NO_BLOCK, streams[0].get()));
        ok!(aclrtRecordNotify(notify, streams[1].get()));
        processor.join().unwrap();
    });
}

#[test]
#[serial]
fn a_subscription_ends_with_its_stream_whoever_is_first() {
    explore(&[Mode::Lazy], || {
        let stream = Sent(create_stream());
        let processor = spawn(move || {
            // Refused where the stream is gone already.
            call!(aclrtSubscribeReport(own_number(), stream.get()));
            call!(aclrtProcessReport(-1))
        });
        let destroys = spawn(move || ok!(aclrtDestroyStream(stream.get())));
        destroys.join().unwrap();
        assert_eq!(processor.join().unwrap(), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    });
}

#[test]
#[serial]
fn of_two_threads_that_wait_for_each_others_callbacks_one_is_told() {
    explore_longer(3, &Mode::ALL, || {
        let streams = [create_stream(), create_stream()].map(Sent);
        let (to_main, from_threads) = channel();
        let threads: Vec<_> = (0..2)
            .map(|index| {
                let (to_main, (go, begin)) = (to_main.clone(), channel::<()>());
                let thread = spawn(move || {
                    ok!(aclrtSubscribeReport(own_number(), streams[index].get()));
                    to_main.send(()).unwrap();
                    begin.recv().unwrap();
                    let code = call!(aclrtSynchronizeStream(streams[1 - index].get()));
                    // Whoever was told runs its callbacks, and the other one goes on.
                    ok!(aclrtProcessReport(-1));
                    if code != 0 {
                        ok!(aclrtSynchronizeStream(streams[1 - index].get()));
                    }
                    ok!(aclrtUnSubscribeReport(own_number(), streams[index].get()));
                    code
                });
                (thread, go)
            })
            .collect();
        (0..2).for_each(|_| from_threads.recv().unwrap());
        for stream in streams {
            ok!(aclrtLaunchCallback(Some(run), as_argument(|| ()), ACL_CALLBACK_BLOCK, stream.get()));
        }
        threads.iter().for_each(|(_, go)| go.send(()).unwrap());
        let codes: Vec<_> = threads.into_iter().map(|(thread, _)| thread.join().unwrap()).collect();
        let told = codes.iter().filter(|code| **code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT).count();
        assert_eq!(told, 1, "{codes:?}");
    });
}

#[test]
#[serial]
fn who_waits_behind_an_abort_waits_for_the_work_that_runs() {
    explore(&Mode::ALL, || {
        let (stream, running) = (Sent(create_stream()), Arc::new(AtomicBool::new(false)));
        let (is_running, runs) = (Arc::clone(&running), Arc::clone(&running));
        let body = move || {
            runs.store(true, SeqCst);
            (0..3).for_each(|_| thread::yield_now());
            runs.store(false, SeqCst);
        };
        ok!(aclrtLaunchHostFunc(stream.get(), Some(run), as_argument(body)));
        let waits = [(); 2].map(|()| {
            let running = Arc::clone(&is_running);
            spawn(move || {
                ok!(aclrtSynchronizeStream(stream.get()));
                assert!(!running.load(SeqCst), "synchronised, and still running");
            })
        });
        for _ in 0..2 {
            queue(stream.get());
        }
        ok!(aclrtStreamAbort(stream.get()));
        waits.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
#[serial]
fn streams_and_devices_end_while_other_threads_wait() {
    explore(&Mode::ALL, || {
        let (streams, events) =
            ([create_stream(), create_stream()].map(Sent), [create_event(), create_event()]);
        for (stream, event) in streams.iter().zip(events) {
            queue(stream.get());
            ok!(aclrtRecordEvent(event, stream.get()));
        }
        ok!(aclrtStreamWaitEvent(streams[1].get(), events[0]));
        let event = Sent(events[0]);
        // What a wait gives depends on who was faster; it must only end.
        let waits = [
            thread::spawn(|| {
                ok!(aclrtSetDevice(0));
                call!(aclrtSynchronizeDevice());
            }),
            thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                call!(aclrtSynchronizeEvent(event.get()));
            }),
        ];
        ok!(aclrtDestroyStreamForce(streams[0].get()));
        ok!(aclrtResetDeviceForce(0));
        waits.into_iter().for_each(|thread| thread.join().unwrap());
        ok!(aclrtSetDevice(0));
    });
}
