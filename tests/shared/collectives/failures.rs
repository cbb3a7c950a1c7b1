//! What is refused, what fails later, and what goes on.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Barrier;

use aclnn::collective::{Communicator, Id, ReduceOp};
use aclnn::{DType, Device, Error, Stream, Tensor};

use super::{Outcome, at_once, in_threads, with};

/// Runs a test whose ranks are patient, as nothing in it depends on the time.
fn is_alone(test: &str) -> Result<bool, Box<dyn std::error::Error>> {
    with(module_path!(), test, &["lazy", "worker"], &[("CANN_STUBS_RANK_TIMEOUT", "60")])
}

fn text<T>(result: Result<T, Error>) -> String {
    result.map_or_else(|error| error.to_string(), |_| "nothing was refused".to_owned())
}

#[test]
fn arguments_that_do_not_fit_are_refused_and_nothing_changes() -> Outcome {
    if !is_alone("arguments_that_do_not_fit_are_refused_and_nothing_changes")? {
        return Ok(());
    }
    let group = at_once(2)?;
    let (own, other) = (&group[0], &group[1]);
    let mut x = Tensor::from_slice(own.device(), &[1.0f32, 2.0, 3.0], [3])?;
    let mut two = Tensor::from_slice(own.device(), &[1i32, 2], [2])?;
    let complex = Tensor::zeros(own.device(), [2], DType::C64)?;
    let packed = Tensor::from_bytes(own.device(), DType::I4, &[0x21, 3], [3])?;
    let refusals = [
        (
            text(own.broadcast(&x, 2)),
            "broadcast(x f32[3]): the root is rank 2, but the group has the ranks 0 to 1",
        ),
        (text(own.send(&x, 0)), "send(x f32[3]): the receiver is rank 0, which is this one"),
        (text(own.recv([2], DType::F32, 7)), "recv(): the sender is rank 7"),
        (
            text(own.all_reduce(&complex, ReduceOp::Sum)),
            "all_reduce(x c64[2]): HCCL combines no c64; add up view_as_real()",
        ),
        (text(own.all_reduce(&packed, ReduceOp::Max)), "HCCL combines no i4; cast"),
        (text(own.send(&packed, 1)), "3 elements of i4 do not fill whole bytes"),
        (
            text(own.reduce_scatter(&x, ReduceOp::Sum)),
            "must have equal parts for 2 ranks, but its shape is [3]",
        ),
        (text(own.all_to_all(&Tensor::zeros(own.device(), (), DType::F32)?)), "equal parts for 2 ranks"),
        (
            text(own.all_reduce_into(&x, &mut two, ReduceOp::Sum)),
            "out has elements of i32, but collectives convert nothing",
        ),
        (text(own.all_gather_into(&two.clone(), &mut two)), "must have exactly the shape of the result"),
        (text(own.scatter_into(None, &mut x, 0)), "this rank is the root, and gives no tensor"),
        (text(own.reduce_into(&x, None, ReduceOp::Sum, 0)), "gives no tensor for the result"),
        (text(other.all_reduce(&x, ReduceOp::Sum)), "operands and stream lie on devices 1 and 0"),
        (text(own.on(&other.device().stream()).barrier()), "devices 0 and 1"),
        (text(own.on(&other.device().stream()).all_reduce(&x, ReduceOp::Sum)), "devices 0 and 1"),
        (
            // Only others than the root write it.
            text(other.broadcast_in_place(
                &mut Tensor::zeros(other.device(), (), DType::F32)?.broadcast_to([3])?,
                0,
            )),
            "elements of x share their memory",
        ),
        (
            text(own.batch().send(&x, 1).recv(&mut x.clone(), 1).run()),
            "batch(send f32[3], recv f32[3]): recv overlaps send partly",
        ),
    ];
    for (told, part) in &refusals {
        assert!(told.contains(part), "{told}\nlacks: {part}");
    }
    assert_eq!((x.to_vec::<f32>()?, two.to_vec::<i32>()?), (vec![1.0, 2.0, 3.0], vec![1, 2]));
    Ok(())
}

#[test]
fn groups_that_cannot_be_are_refused() -> Outcome {
    if !is_alone("groups_that_cannot_be_are_refused")? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let id = Id::new(&device)?;
    for (rank, size) in [(0, 0), (2, 2), (usize::MAX, 1 << 40)] {
        let told = text(Communicator::init(&device, &id, rank, size));
        assert!(told.contains(&format!("there is no rank {rank} in a group of {size}")), "{told}");
    }
    assert!(text(Communicator::init_all(&[])).contains("there must be at least one"));
    let told = text(Communicator::init_all(&[device.clone(), Device::open(1)?, device.clone()]));
    assert!(told.contains("[0, 1, 0]"), "{told}");
    // Bytes of something else, of the right number.
    let other = Id::from_bytes(&[7; Id::LEN])?;
    let error = Communicator::init(&device, &other, 0, 1).map(drop).unwrap_err();
    assert!(matches!(error, Error::Collective { .. }), "{error}");
    let told = error.to_string();
    assert!(
        told.contains("Communicator::init() as rank 0 of 1: HcclCommInitRootInfo returned 1 HCCL_E_PARA"),
        "{told}"
    );
    for bytes in [&[0; Id::LEN - 1][..], &[0; Id::LEN + 1], &[]] {
        assert!(text(Id::from_bytes(bytes)).contains(&format!("{} bytes were given", bytes.len())));
    }
    for digits in ["", "abc", "zz", "+1"] {
        assert!(digits.parse::<Id>().is_err(), "{digits}");
    }
    let secret = id.to_hex();
    assert!(secret.parse::<Id>()? == id && !format!("{id:?}").contains(&secret[..8]));
    assert_eq!(format!("{id:?}"), "Id { .. }");
    Ok(())
}

#[test]
fn a_rank_that_does_not_join_is_waited_for_until_the_time_is_up() -> Outcome {
    if !is_alone("a_rank_that_does_not_join_is_waited_for_until_the_time_is_up")? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let options = Communicator::options().timeout(std::time::Duration::from_secs(1)).name("late");
    let error = options.init(&device, &Id::new(&device)?, 0, 2).map(drop).unwrap_err();
    let told = error.to_string();
    assert!(matches!(error, Error::Collective { .. }) && error.code() == Some(9), "{told}");
    assert!(told.contains("HCCL_E_TIMEOUT") && told.contains("rank 1 of 2 to join the group late"), "{told}");
    Ok(())
}

/// Everything that a rank sees of a group that has failed.
fn is_over(own: &Communicator, sum: &Tensor, told: &str, code: i32) -> Result<(), Error> {
    let failed = sum.stream().synchronize().unwrap_err();
    assert!(matches!(failed, Error::StreamFailed(_)), "{failed}");
    assert!(failed.to_string().contains(told), "{failed}\nlacks: {told}");
    assert!(matches!(sum.to_bytes(), Err(Error::StreamFailed(_))));
    let checked = own.check().unwrap_err();
    assert_eq!(checked.code(), Some(code), "{checked}");
    // The group does nothing more, on streams that are well, too.
    let stream = Stream::new(own.device())?;
    let mut x = Tensor::ones(&stream, [4], DType::F32)?;
    for refused in [
        own.all_reduce_in_place(&mut x, ReduceOp::Sum),
        own.send(&x, (own.rank() + 1) % own.size()),
        own.check(),
    ] {
        let error = refused.unwrap_err();
        assert!(matches!(error, Error::GroupFailed { .. }), "{error}");
        let rank = format!("as rank {} of {} in the group {:?}", own.rank(), own.size(), own.name());
        let text = error.to_string();
        assert!(text.contains(&rank) && text.contains(told) && text.contains("make a new group"), "{text}");
    }
    // The stream goes on, and so does everything else.
    x.add_in_place(1)?;
    assert_eq!(x.to_vec::<f32>()?, [2.0; 4]);
    Ok(())
}

#[test]
fn calls_that_differ_between_ranks_fail_on_all_of_them() -> Outcome {
    if !is_alone("calls_that_differ_between_ranks_fail_on_all_of_them")? {
        return Ok(());
    }
    type Wrong = fn(&Communicator, &Tensor) -> Result<Tensor, Error>;
    let wrong: [(Wrong, &str); 5] = [
        (
            |own, x| own.all_reduce(&x.slice(0, 1..)?, ReduceOp::Sum),
            "rank 1 calls HcclAllReduce of 3 f32, sum",
        ),
        (
            |own, x| own.all_reduce(&x.cast(DType::F16)?, ReduceOp::Sum),
            "rank 1 calls HcclAllReduce of 4 f16, sum",
        ),
        (|own, x| own.all_reduce(x, ReduceOp::Min), "rank 1 calls HcclAllReduce of 4 f32, minimum"),
        (|own, x| own.broadcast(x, 1), "rank 1 calls HcclBroadcast of 4 f32, root 1"),
        (|own, x| own.all_gather(x), "rank 1 calls HcclAllGather of 4 f32"),
    ];
    for (call, told) in wrong {
        in_threads(2, |own| {
            let stream = Stream::new(own.device())?;
            let x = Tensor::ones(&stream, [4], DType::F32)?;
            let result = if own.rank() == 1 { call(own, &x)? } else { own.all_reduce(&x, ReduceOp::Sum)? };
            is_over(own, &result, told, 1)
        })?;
    }
    // A group beside it goes on.
    assert_eq!(
        in_threads(2, |own| own
            .all_reduce(&Tensor::ones(own.device(), [2], DType::F32)?, ReduceOp::Sum)?
            .to_vec::<f32>())?,
        [[2.0; 2]; 2]
    );
    Ok(())
}

#[test]
fn a_rank_that_leaves_or_never_comes_is_an_error_on_the_others() -> Outcome {
    if !is_alone("a_rank_that_leaves_or_never_comes_is_an_error_on_the_others")? {
        return Ok(());
    }
    in_threads(3, |own| {
        if own.rank() == 2 {
            return Ok(());
        }
        let stream = Stream::new(own.device())?;
        let sum = own.all_reduce(&Tensor::ones(&stream, [4], DType::F32)?, ReduceOp::Sum)?;
        is_over(own, &sum, "has destroyed its communicator", 21)
    })?;
    let over = Barrier::new(2);
    let id = Id::new(&Device::open(0)?)?;
    std::thread::scope(|scope| {
        let ranks = [0, 1].map(|rank| {
            let (id, over) = (&id, &over);
            scope.spawn(move || {
                let device = Device::open(rank as i32)?;
                let options =
                    Communicator::options().timeout(std::time::Duration::from_secs(1)).name("waits");
                let own = options.init(&device, id, rank, 2)?;
                let replayed = Stream::new(&device)?;
                let x = Tensor::ones(&replayed, [4], DType::F32)?;
                let graph = replayed.capture(|| own.all_reduce(&x, ReduceOp::Sum)).ok();
                if rank == 0 {
                    let stream = Stream::new(&device)?;
                    let sum = own.all_reduce(&Tensor::ones(&stream, [4], DType::F32)?, ReduceOp::Sum)?;
                    is_over(&own, &sum, "did not come within 1s", 9)?;
                }
                over.wait();
                let replayed = graph.map(|(graph, _)| graph.replay());
                assert!(matches!(replayed, None | Some(Err(Error::GroupFailed { .. }))), "{replayed:?}");
                // It learns of the failure without having called anything.
                assert!(own.check().is_err_and(|error| error.to_string().contains("did not come within 1s")));
                Ok::<_, Error>(())
            })
        });
        ranks.into_iter().try_for_each(|rank| rank.join().unwrap_or_else(|_| unreachable!("a rank panics")))
    })?;
    Ok(())
}

/// Work of an operator that fails before a collective: what this rank gave to the others is not reliable.
#[test]
fn a_stream_that_fails_takes_its_group_along_and_no_other() -> Outcome {
    let faults = ("CANN_STUBS_FAIL", "run:aclnnInplaceAdds@1=507015");
    let alone = with(
        module_path!(),
        "a_stream_that_fails_takes_its_group_along_and_no_other",
        &["lazy", "worker"],
        &[("CANN_STUBS_RANK_TIMEOUT", "60"), faults],
    )?;
    if !alone {
        return Ok(());
    }
    let beside = at_once(2)?;
    let mut group = at_once(2)?;
    let streams = [Stream::new(group[0].device())?, Stream::new(group[1].device())?];
    let other = Stream::new(group[0].device())?;
    let captured = Tensor::ones(&other, [4], DType::F32)?;
    let graph = other.capture(|| group[0].all_reduce(&captured, ReduceOp::Sum)).ok();
    let mut sums = Vec::new();
    for (own, stream) in group.iter().zip(&streams) {
        let mut x = Tensor::ones(stream, [4], DType::F32)?;
        if own.rank() == 0 {
            x.add_in_place(1)?;
        }
        sums.push(own.all_reduce(&x, ReduceOp::Sum)?);
    }
    assert!(streams[0].synchronize().is_err_and(|error| error.code() == Some(507_015)));
    // Nor is anything queued by a replay, on another stream.
    let replayed = graph.map(|(graph, _)| graph.replay());
    assert!(matches!(replayed, None | Some(Err(Error::GroupFailed { .. }))), "{replayed:?}");
    let [first, second] = &group[..] else { unreachable!("{group:?}") };
    let x = Tensor::ones(first.device(), [4], DType::F32)?;
    let error = first.all_reduce(&x, ReduceOp::Sum).map(drop).unwrap_err();
    assert!(matches!(error, Error::GroupFailed { .. }) && error.code() == Some(507_015), "{error}");
    // The other rank learns of it when this one leaves.
    let third = Stream::new(second.device())?;
    let sum = second.all_reduce(&Tensor::ones(&third, [4], DType::F32)?, ReduceOp::Sum)?;
    drop((streams, sums));
    group.truncate(0);
    assert!(text(sum.to_vec::<f32>()).contains("rank 0 (process"));
    let mut good = Vec::new();
    for own in &beside {
        good.push(own.all_reduce(&Tensor::ones(own.device(), [4], DType::F32)?, ReduceOp::Sum)?);
    }
    assert_eq!(good[0].to_vec::<f32>()?, [2.0; 4]);
    assert_eq!(good[1].to_vec::<f32>()?, [2.0; 4]);
    Ok(())
}

/// The other rank is this test once more, in a process of its own, which dies in the middle.
#[test]
fn ranks_in_processes_work_together_and_one_that_dies_is_told() -> Outcome {
    let test = "ranks_in_processes_work_together_and_one_that_dies_is_told";
    if let Ok(id) = std::env::var("ACLNN_TEST_ID") {
        let device = Device::open(1)?;
        let own = Communicator::init(&device, &id.parse()?, 1, 2)?;
        let x = Tensor::from_slice(&device, &[10i64, 20], [2])?;
        assert_eq!(own.all_reduce(&x, ReduceOp::Sum)?.to_vec::<i64>()?, [11, 22]);
        assert_eq!(own.broadcast(&x, 0)?.to_vec::<i64>()?, [1, 2]);
        // Not even destructors run.
        std::process::abort();
    }
    if !is_alone(test)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let id = Id::new(&device)?;
    let mut command = crate::support::alone(module_path!(), test);
    let mut other = command.env("ACLNN_TEST_ID", id.to_hex()).stderr(std::process::Stdio::null()).spawn()?;
    let own = Communicator::init(&device, &id, 0, 2)?;
    let x = Tensor::from_slice(&device, &[1i64, 2], [2])?;
    assert_eq!(own.all_reduce(&x, ReduceOp::Sum)?.to_vec::<i64>()?, [11, 22]);
    assert_eq!(own.broadcast(&x, 0)?.to_vec::<i64>()?, [1, 2]);
    let stream = Stream::new(&device)?;
    let sum = own.all_reduce(&Tensor::ones(&stream, [4], DType::F32)?, ReduceOp::Sum)?;
    is_over(&own, &sum, &format!("rank 1 (process {}) is gone", other.id()), 21)?;
    assert!(!other.wait()?.success());
    Ok(())
}
