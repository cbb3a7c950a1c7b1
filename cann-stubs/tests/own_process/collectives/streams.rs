//! A collective is work of its stream: for the order of streams, for the checks, for faults on demand and in the trace.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aclnn_sys::*;
use cann_stubs::control::{self, Check, Effect, Level, Mode, When};

use super::rank::{Rank, done, hccl, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{call, create_event, create_stream, download, fill, free, ok, upload};
use crate::support::{malloc, message};

const EIGHT: [(&str, &str); 3] =
    [("CANN_STUBS_DEVICES", "8"), ("CANN_STUBS_MEMORY", "64M"), ("CANN_STUBS_RANK_TIMEOUT", "300")];

const I32: HcclDataType = HCCL_DATA_TYPE_INT32;
const COUNT: usize = 16;
const BYTES: usize = 4 * COUNT;

fn sum(own: &Rank, memory: *mut c_void, stream: *mut c_void) -> HcclResult {
    hccl!(HcclAllReduce(memory, memory, COUNT as u64, I32, HCCL_REDUCE_SUM, own.comm, stream))
}

fn filled(byte: u8) -> *mut c_void {
    let memory = malloc(BYTES);
    upload(memory, &[byte; BYTES]);
    memory
}

/// Work before a collective on its stream comes before it on every rank, and work behind it, on another stream too, sees the
/// result; in every mode.
#[test]
fn collectives_are_in_the_order_of_streams_and_events() {
    child::with(this_test!(), &EIGHT, || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            threads(3, |own| {
                let (memory, copy, other, event) =
                    (malloc(BYTES), malloc(BYTES), create_stream(), create_event());
                fill(memory, BYTES, own.rank as i32 + 1, own.stream);
                done!(HcclAllReduce(
                    memory,
                    memory,
                    BYTES as u64,
                    HCCL_DATA_TYPE_INT8,
                    HCCL_REDUCE_SUM,
                    own.comm,
                    own.stream
                ));
                ok!(aclrtRecordEvent(event, own.stream));
                ok!(aclrtStreamWaitEvent(other, event));
                ok!(aclrtMemcpyAsync(copy, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, other));
                ok!(aclrtSynchronizeStream(other));
                assert_eq!(download(copy, BYTES), [1 + 2 + 3; BYTES], "{mode:?}");
                own.wait();
                ok!(aclrtDestroyEvent(event));
                ok!(aclrtDestroyStream(other));
                free(memory);
                free(copy);
            });
        }
        assert!(control::reports().is_empty(), "{:?}", control::reports());
    });
}

/// The collectives of a communicator are done in the order of the calls, whatever their streams are.
#[test]
fn one_communicator_on_two_streams() {
    child::with(this_test!(), &EIGHT, || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            threads(2, |own| {
                let (other, first, second) = (create_stream(), filled(1), filled(2));
                for _ in 0..3 {
                    assert_eq!(sum(own, first, own.stream), HCCL_SUCCESS);
                    assert_eq!(sum(own, second, other), HCCL_SUCCESS);
                }
                // The one that was queued last is waited for first.
                ok!(aclrtSynchronizeStream(other));
                own.wait();
                assert_eq!([download(first, BYTES)[0], download(second, BYTES)[0]], [8, 16], "{mode:?}");
                ok!(aclrtDestroyStream(other));
                free(first);
                free(second);
            });
        }
    });
}

/// The kinds of misuse that were reported while `body` ran.
fn found(body: impl FnOnce()) -> Vec<Check> {
    control::reports_of(body).1.iter().map(|report| report.check).collect()
}

#[test]
fn the_checks_see_what_collectives_read_and_write() {
    child::with(this_test!(), &EIGHT, || {
        let (level, queued) = (Level::Error, Barrier::new(2));
        let _level = control::check_everywhere(level);
        threads(2, |own| {
            // Another stream, without an event, before and behind.
            let (memory, other) = (filled(1), create_stream());
            fill(memory, BYTES, 1, other);
            assert_eq!(found(|| assert_eq!(sum(own, memory, own.stream), HCCL_E_PARA)), [Check::Race]);
            assert!(message().contains("HcclAllReduce"), "{}", message());
            ok!(aclrtSynchronizeStream(other));
            assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS, "{}", message());
            let reads = || {
                let copy = malloc(BYTES);
                let code =
                    call!(aclrtMemcpyAsync(copy, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, other));
                assert_ne!(code, 0);
            };
            assert_eq!(found(reads), [Check::Race]);
            // Memory that a collective uses is not freed.
            assert_eq!(found(|| assert_ne!(call!(aclrtFree(memory)), 0)), [Check::FreedInUse]);
            queued.wait();
            own.wait();
            assert_eq!(download(memory, BYTES), [2; BYTES]);
            ok!(aclrtDestroyStream(other));

            // Elements that were never written are combined by nobody, and are moved by everybody.
            let blank = malloc(BYTES);
            assert_eq!(found(|| assert_eq!(sum(own, blank, own.stream), HCCL_E_PARA)), [Check::NeverWritten]);
            upload(blank, &[3; BYTES / 2]);
            let moves = |from| done!(HcclBroadcast(blank, COUNT as u64, I32, from, own.comm, own.stream));
            assert_eq!(found(|| moves(0)), [], "a part of it is written");
            own.wait();
            if own.rank == 1 {
                let received = malloc(BYTES);
                assert_eq!(
                    found(|| done!(HcclAllReduce(
                        blank,
                        received,
                        COUNT as u64,
                        I32,
                        HCCL_REDUCE_SUM,
                        own.comm,
                        own.stream
                    ))),
                    [],
                    "what was received is written"
                );
            } else {
                upload(blank, &[3; BYTES]);
                assert_eq!(sum(own, blank, own.stream), HCCL_SUCCESS);
            }
            own.wait();

            // Memory that is gone, and memory of another device.
            free(blank);
            assert_eq!(
                found(|| assert_eq!(sum(own, blank, own.stream), HCCL_E_RUNTIME)),
                [Check::FreedPointer]
            );
            let peer = 2 + own.rank as i32;
            ok!(aclrtSetDevice(peer));
            let foreign = filled(1);
            ok!(aclrtSetDevice(own.rank as i32));
            assert_eq!(
                found(|| assert_eq!(sum(own, foreign, own.stream), HCCL_E_RUNTIME)),
                [Check::PeerAccess]
            );

            // Nothing that was refused has been queued.
            done!(HcclBarrier(own.comm, own.stream));
            own.wait();
        });
    });
}

/// Misaligned memory is told and taken: what a device makes of it is not known.
#[test]
fn addresses_that_are_no_multiple_of_an_element_are_told_once() {
    child::with(this_test!(), &EIGHT, || {
        threads(2, |own| {
            let memory = filled(1);
            let odd = memory.wrapping_byte_add(1);
            let sums = || {
                hccl!(HcclAllReduce(odd, odd, COUNT as u64 - 1, I32, HCCL_REDUCE_SUM, own.comm, own.stream))
            };
            assert_eq!(found(|| assert_eq!(sums(), HCCL_SUCCESS, "{}", message())), [Check::Misaligned]);
            assert_eq!(found(|| assert_eq!(sums(), HCCL_SUCCESS, "{}", message())), []);
            own.wait();
            let sum = download(memory, BYTES);
            assert_eq!((sum[0], &sum[1..BYTES - 3]), (1, &[4; BYTES - 4][..]));
            assert_eq!(found(|| assert_eq!(self::sum(own, memory, own.stream), HCCL_SUCCESS)), []);
            own.wait();
        });
    });
}

/// A buffer is received into in place, or apart from all others.
#[test]
fn buffers_that_overlap_are_refused() {
    child::with(this_test!(), &EIGHT, || {
        threads(2, |own| {
            let memory = malloc(8 * BYTES);
            upload(memory, &[1; 8 * BYTES]);
            let at = |elements: usize| memory.wrapping_byte_add(4 * elements);
            let (comm, stream, count, op) = (own.comm, own.stream, COUNT as u64, HCCL_REDUCE_SUM);
            let mut items =
                [(HCCL_SEND, 0), (HCCL_RECV, COUNT / 2)].map(|(direction, place)| HcclSendRecvItem {
                    sendRecvType: direction,
                    buf: at(place),
                    count,
                    dataType: I32,
                    remoteRank: 1 - own.rank as u32,
                });
            let wrong_part = COUNT * (1 - own.rank);
            let told = |code| (code, message());
            let refused = found(|| {
                for (code, told) in [
                    told(hccl!(HcclAllReduce(at(0), at(1), count, I32, op, comm, stream))),
                    told(hccl!(HcclAllReduce(at(1), at(0), count, I32, op, comm, stream))),
                    told(hccl!(HcclAllGather(at(wrong_part), at(0), count, I32, comm, stream))),
                    told(hccl!(HcclReduceScatter(at(0), at(wrong_part), count, I32, op, comm, stream))),
                    told(hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream))),
                ] {
                    assert_eq!(code, HCCL_E_PARA, "{told}");
                    assert!(told.contains("overlaps sendBuf, and is not in place"), "{told}");
                }
            });
            assert_eq!(refused, [Check::Overlap; 5]);
            done!(HcclAllReduce(at(0), at(COUNT), count, I32, op, comm, stream));
            own.wait();
        });
    });
}

/// A wait with a limit ends, and the collective goes on afterwards.
#[test]
fn a_limited_wait_leaves_a_collective_as_it_is() {
    child::with(this_test!(), &EIGHT, || {
        let waited = Barrier::new(2);
        threads(2, |own| {
            let memory = filled(1);
            if own.rank == 0 {
                assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS);
                let code = call!(aclrtSynchronizeStreamWithTimeout(own.stream, 5));
                assert_eq!(code, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "{}", message());
                let mut status = ACL_STREAM_STATUS_COMPLETE;
                ok!(aclrtStreamQuery(own.stream, &mut status));
                assert_eq!(status, ACL_STREAM_STATUS_NOT_READY);
                waited.wait();
            } else {
                waited.wait();
                assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS);
            }
            own.wait();
            assert_eq!(download(memory, BYTES), [2; BYTES]);
        });
    });
}

#[test]
fn the_trace_has_a_record_of_each_collective_and_its_rank() {
    child::with(this_test!(), &EIGHT, || {
        let path = std::env::temp_dir().join(format!("cann-stubs-trace-{}", std::process::id()));
        let trace = control::trace_to(&path).unwrap();
        threads(2, |own| {
            let memory = filled(1);
            let mut stream = 0;
            ok!(aclrtStreamGetId(own.stream, &mut stream));
            let records = control::record(|| {
                assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS);
                let peer = 1 - own.rank as u32;
                match own.rank {
                    0 => done!(HcclSend(memory, COUNT as u64, I32, peer, own.comm, own.stream)),
                    _ => done!(HcclRecv(memory, COUNT as u64, I32, peer, own.comm, own.stream)),
                }
                own.wait();
            });
            let names: Vec<&str> = records.iter().map(|record| record.function).collect();
            assert_eq!(names, ["HcclAllReduce", if own.rank == 0 { "HcclSend" } else { "HcclRecv" }]);
            // What is read and what is written.
            assert_eq!(records.iter().map(|record| record.bytes).collect::<Vec<_>>(), [2 * BYTES, BYTES]);
            for record in &records {
                assert_eq!((record.stream, record.device), (Some(stream), own.rank as i32));
                assert_eq!(record.rank, Some((own.rank, 2)));
                assert!(record.time.is_some(), "{record:?}");
            }
        });
        drop(trace);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        for rank in 0..2 {
            let is_there = |line: &&str| {
                line.contains("\"HcclAllReduce\"") && line.contains(&format!("\"rank\":\"{rank} of 2\""))
            };
            assert_eq!(text.lines().filter(is_there).count(), 1, "{text}");
        }
    });
}

#[test]
fn calls_of_collectives_fail_on_demand_and_have_no_effect() {
    child::with(this_test!(), &EIGHT, || {
        threads(2, |own| {
            let memory = filled(1);
            let fault = control::fail("HcclAllReduce", When::Nth(2), 4);
            let codes = [(); 3].map(|()| sum(own, memory, own.stream));
            assert_eq!(codes, [HCCL_SUCCESS, HCCL_E_INTERNAL, HCCL_SUCCESS]);
            assert_eq!(fault.struck(), 1);
            own.wait();
            assert_eq!(download(memory, BYTES), [4; BYTES], "two of three were done");
        });
    });
}

#[test]
fn ranks_are_late_on_demand() {
    child::with(this_test!(), &EIGHT, || {
        const LATE: Duration = Duration::from_millis(30);
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            threads(3, |own| {
                let memory = filled(1);
                let fault = (own.rank == 1)
                    .then(|| control::fault("run:HcclAllReduce", When::Nth(2), Effect::Delays(LATE)));
                let records = control::record(|| {
                    (0..2).for_each(|_| assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS));
                    own.wait();
                });
                assert_eq!(download(memory, BYTES), [9; BYTES], "{mode:?}");
                if let Some(fault) = fault {
                    assert_eq!(fault.struck(), 1);
                    let (_, took) = records[1].time.unwrap();
                    assert!(took >= LATE, "{took:?}");
                }
            });
        }
    });
}

/// The others learn of a lost rank as of one whose process has died, long before their time is up.
#[test]
fn a_rank_is_lost_on_demand() {
    child::with(this_test!(), &EIGHT, || {
        for sends in [false, true] {
            threads(3, |own| {
                let memory = filled(1);
                let fault = (own.rank == 2).then(|| control::fault("run:Hccl*", When::Nth(2), Effect::Loses));
                assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS);
                own.wait();
                match (sends, own.rank) {
                    (true, 0) => done!(HcclRecv(memory, COUNT as u64, I32, 2, own.comm, own.stream)),
                    (true, 2) => done!(HcclSend(memory, COUNT as u64, I32, 0, own.comm, own.stream)),
                    (true, _) => done!(HcclBarrier(own.comm, own.stream)),
                    (false, _) => assert_eq!(sum(own, memory, own.stream), HCCL_SUCCESS),
                }
                match own.rank {
                    2 => own.fails(HCCL_E_REMOTE, &["this rank was lost by a fault on demand"]),
                    _ => own.fails(HCCL_E_REMOTE, &["rank 2", "is gone", "make a new group"]),
                }
                assert_eq!(sum(own, memory, own.stream), HCCL_E_REMOTE);
                assert!(fault.is_none_or(|fault| fault.struck() == 1));
            });
        }
    });
}

/// By the environment, for the rank that makes the third call.
#[test]
fn the_environment_loses_a_rank() {
    let settings: Vec<_> =
        EIGHT.into_iter().chain([("CANN_STUBS_FAIL", "run:HcclAllReduce@3=lost")]).collect();
    child::with(this_test!(), &settings, || {
        let lost = AtomicUsize::new(0);
        threads(3, |own| {
            assert_eq!(sum(own, filled(1), own.stream), HCCL_SUCCESS);
            assert_eq!(own.waited(), HCCL_E_REMOTE.0.cast_signed());
            let told = message();
            if told.contains("this rank was lost by a fault on demand") {
                lost.fetch_add(1, Ordering::Relaxed);
            } else {
                assert!(told.contains("is gone; make a new group"), "{told}");
            }
        });
        assert_eq!(lost.into_inner(), 1);
    });
}

/// Messages between two calls are one batch: none waits for another, whatever their order.
#[test]
fn messages_that_are_grouped_wait_for_none_of_them() {
    child::with(this_test!(), &EIGHT, || {
        type Function = unsafe extern "C" fn() -> HcclResult;
        let function = |name: &str| -> Function {
            let address = cann_stubs::source().symbol(name).unwrap();
            // SAFETY: both functions are taken to have no parameters.
            unsafe { std::mem::transmute::<*const c_void, Function>(address.as_ptr().cast_const().cast()) }
        };
        let (start, end) = (function("HcclGroupStart"), function("HcclGroupEnd"));
        // SAFETY: as above.
        let (start, end) = (|| unsafe { start() }, || unsafe { end() });
        threads(3, |own| {
            let (comm, stream, count) = (own.comm, own.stream, COUNT as u64);
            let (memory, received) = (filled(own.rank as u8 + 1), malloc(3 * BYTES));
            let mut is_open = true;
            done!(HcclGroupStatusGet(&mut is_open));
            assert!(!is_open);
            assert_eq!([start(), start()], [HCCL_SUCCESS; 2]);
            done!(HcclGroupStatusGet(&mut is_open));
            assert!(is_open);
            // All send first, to themselves too.
            (0..3).for_each(|peer| done!(HcclSend(memory, count, I32, peer, comm, stream)));
            for peer in 0..3 {
                let place = received.wrapping_byte_add(peer * BYTES);
                done!(HcclRecv(place, count, I32, peer as u32, comm, stream));
            }
            assert_eq!(hccl!(HcclSend(memory, count, I32, 3, comm, stream)), HCCL_E_PARA);
            assert_eq!([end(), end()], [HCCL_SUCCESS; 2], "{}", message());
            own.wait();
            let expected: Vec<u8> = [1, 2, 3].into_iter().flat_map(|byte| [byte; BYTES]).collect();
            assert_eq!(download(received, 3 * BYTES), expected);
            assert_eq!(end(), HCCL_E_NOT_SUPPORT);
            let told = message();
            assert!(told.contains("HcclGroupEnd") && told.contains("no HcclGroupStart"), "{told}");
            // No graph stores a part of what is called together.
            let (itself, mut graph) = (own.rank as u32, null_mut());
            let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
            for is_begun_inside in [true, false] {
                let begin = || ok!(aclmdlRICaptureBegin(stream, mode));
                if !is_begun_inside {
                    begin();
                }
                assert_eq!(start(), HCCL_SUCCESS);
                done!(HcclSend(memory, 1, I32, itself, comm, stream));
                if is_begun_inside {
                    begin();
                } else {
                    ok!(aclmdlRICaptureEnd(stream, &mut graph));
                    ok!(aclmdlRIDestroy(graph));
                }
                let mixed = hccl!(HcclRecv(received, 1, I32, itself, comm, stream));
                assert_eq!(mixed, HCCL_E_NOT_SUPPORT);
                assert_eq!(end(), HCCL_E_NOT_SUPPORT);
                assert!(message().contains("a capture began or ended"), "{}", message());
                if is_begun_inside {
                    ok!(aclmdlRICaptureEnd(stream, &mut graph));
                    ok!(aclmdlRIDestroy(graph));
                }
            }
            // Several of one rank to another arrive in their order.
            let other = ((own.rank + 1) % 3) as u32;
            let before = ((own.rank + 2) % 3) as u32;
            assert_eq!(start(), HCCL_SUCCESS);
            let behind = memory.wrapping_byte_add(4);
            done!(HcclSend(memory, 1, I32, other, comm, stream));
            done!(HcclSend(behind, count - 1, I32, other, comm, stream));
            done!(HcclRecv(received, 1, I32, before, comm, stream));
            done!(HcclRecv(received.wrapping_byte_add(4), count - 1, I32, before, comm, stream));
            assert_eq!(end(), HCCL_SUCCESS, "{}", message());
            own.wait();
            assert_eq!(download(received, BYTES), [before as u8 + 1; BYTES]);
            // What is wrong with the memory is told at the end.
            assert_eq!(start(), HCCL_SUCCESS);
            done!(HcclSend(null_mut(), count, I32, 0, comm, stream));
            assert_eq!(end(), HCCL_E_PTR);
            done!(HcclBarrier(comm, stream));
            own.wait();
        });
    });
}
