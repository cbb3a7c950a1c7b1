//! Several groups of one process, as data-parallel programs make them.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Barrier, Mutex};

use aclnn_sys::*;

use super::rank::{Rank, done, hccl, nothing_is_left, processes, root, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{create_stream, download, free, ok, upload};
use crate::support::{malloc, message};

const EIGHT: [(&str, &str); 3] =
    [("CANN_STUBS_DEVICES", "8"), ("CANN_STUBS_MEMORY", "64M"), ("CANN_STUBS_RANK_TIMEOUT", "300")];

const BYTES: usize = 40;

fn sum(memory: *mut c_void, comm: HcclComm, stream: *mut c_void) {
    let (dtype, op) = (HCCL_DATA_TYPE_UINT8, HCCL_REDUCE_SUM);
    done!(HcclAllReduce(memory, memory, BYTES as u64, dtype, op, comm, stream));
}

/// The group of all, groups of neighbours and groups across, each with a communicator of its own on the same device, on one
/// stream and on several.
#[test]
fn ranks_in_several_groups() {
    child::with(this_test!(), &EIGHT, || {
        let infos: Mutex<Vec<HcclRootInfo>> = Mutex::default();
        let shared = Barrier::new(4);
        for on_one_stream in [true, false] {
            threads(4, |own| {
                if own.rank == 0 {
                    *infos.lock().unwrap() = (0..4).map(|_| root()).collect();
                }
                shared.wait();
                let infos = infos.lock().unwrap().clone();
                let (row, column) = (own.rank / 2, own.rank % 2);
                let stream = || if on_one_stream { own.stream } else { create_stream() };
                let join = |info: &HcclRootInfo, rank: usize| {
                    let mut comm = null_mut();
                    done!(HcclCommInitRootInfo(2, info, rank as u32, &mut comm));
                    (comm, stream())
                };
                // Rank 0 and rank 3 are the first and the last of both their groups.
                let beside = join(&infos[row], column);
                let across = join(&infos[2 + column], row);
                let groups = [(own.comm, own.stream), beside, across];
                // What a rank has: 1, 10, 100 or 1 again.
                let mine = [1, 10, 100, 1];
                let expected =
                    [mine.iter().sum(), mine[2 * row] + mine[2 * row + 1], mine[column] + mine[2 + column]];
                for (number, ((comm, stream), expected)) in groups.into_iter().zip(expected).enumerate() {
                    let memory = malloc(BYTES);
                    upload(memory, &[mine[own.rank]; BYTES]);
                    sum(memory, comm, stream);
                    ok!(aclrtSynchronizeStream(stream));
                    assert_eq!(download(memory, BYTES), [expected; BYTES], "group {number}");
                    free(memory);
                }
                // All at once: each group counts one up.
                let memories: [_; 3] = std::array::from_fn(|_| {
                    let memory = malloc(BYTES);
                    upload(memory, &[1; BYTES]);
                    memory
                });
                for _ in 0..3 {
                    groups
                        .iter()
                        .zip(memories)
                        .for_each(|((comm, stream), memory)| sum(memory, *comm, *stream));
                }
                groups.iter().rev().for_each(|(_, stream)| ok!(aclrtSynchronizeStream(*stream)));
                let found = memories.map(|memory| download(memory, BYTES));
                assert_eq!(found, [[64; BYTES], [8; BYTES], [8; BYTES]]);
                for (comm, stream) in [beside, across] {
                    done!(HcclCommDestroy(comm));
                    if !on_one_stream {
                        ok!(aclrtDestroyStream(stream));
                    }
                }
            });
        }
    });
}

/// Groups have names, which differ unless they are given.
#[test]
fn groups_have_names_of_their_own() {
    child::with(this_test!(), &EIGHT, || {
        ok!(aclrtSetDevice(0));
        let (mut all, mut comms) = ([null_mut(); 2], vec![]);
        done!(HcclCommInitAll(2, [0, 1].as_mut_ptr(), all.as_mut_ptr()));
        for _ in 0..3 {
            let (info, mut comm) = (root(), null_mut());
            done!(HcclCommInitRootInfo(1, &info, 0, &mut comm));
            comms.push(comm);
        }
        comms.push(all[0]);
        let names: BTreeSet<[std::ffi::c_char; 128]> = comms
            .iter()
            .map(|comm| {
                let mut name = [0; 128];
                done!(HcclGetCommName(*comm, name.as_mut_ptr()));
                name
            })
            .collect();
        assert_eq!(names.len(), comms.len());
        comms.iter().chain(&all[1..]).for_each(|comm| done!(HcclCommDestroy(*comm)));
        nothing_is_left();
    });
}

/// A rank is on the device that is current when it joins, whatever is current later.
#[test]
fn a_communicator_stays_on_its_device() {
    child::with(this_test!(), &EIGHT, || {
        threads(2, |own| {
            ok!(aclrtSetDevice(4));
            let foreign = create_stream();
            assert_eq!(hccl!(HcclBarrier(own.comm, foreign)), HCCL_E_PARA);
            assert!(message().contains("the communicator is on device"), "{}", message());
            // A stream of the communicator's device, while another one is current: as for all work, it must be current.
            assert_eq!(hccl!(HcclBarrier(own.comm, own.stream)), HCCL_E_RUNTIME, "{}", message());
            ok!(aclrtSetDevice(own.rank as i32));
            done!(HcclBarrier(own.comm, own.stream));
            own.wait();
            // The default stream of the device.
            done!(HcclBarrier(own.comm, null_mut()));
            ok!(aclrtSynchronizeStream(null_mut()));
            ok!(aclrtSetDevice(4));
            ok!(aclrtDestroyStream(foreign));
            ok!(aclrtSetDevice(own.rank as i32));
        });
    });
}

/// Each process has one device, and is one of more ranks than that.
#[test]
fn more_ranks_than_devices() {
    let one: Vec<(&str, &str)> = EIGHT
        .into_iter()
        .map(|(name, value)| (name, if name.ends_with("DEVICES") { "1" } else { value }))
        .collect();
    child::with(this_test!(), &one, || {
        processes(this_test!(), 5, None, |own: &Rank| {
            let memory = malloc(BYTES);
            upload(memory, &[own.rank as u8 + 1; BYTES]);
            sum(memory, own.comm, own.stream);
            own.wait();
            assert_eq!(download(memory, BYTES), [15; BYTES]);
        });
    });
}
