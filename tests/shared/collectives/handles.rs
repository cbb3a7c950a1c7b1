//! Ends of communicators, in every order.

use aclnn::collective::{Communicator, Id, ReduceOp};
use aclnn::{Backend, DType, Device, Error, Stream, Tensor};

use super::{Outcome, at_once, in_threads, is_alone};

const MODES: [&str; 3] = ["lazy", "deferred", "worker"];

/// How many communicators the emulator counts; 0 where it does not count.
fn live() -> usize {
    cann_stubs::control::live().iter().filter(|one| one.kind == "communicator").count()
}

#[test]
fn handles_are_dropped_in_any_order() -> Outcome {
    if !is_alone(module_path!(), "handles_are_dropped_in_any_order", &MODES)? {
        return Ok(());
    }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut ranks = Vec::new();
        for own in at_once(2)? {
            let stream = Stream::new(own.device())?;
            let sum = own.all_reduce(&Tensor::ones(&stream, [100], DType::F32)?, ReduceOp::Sum)?;
            ranks.push((Some(own), Some(stream), Some(sum)));
        }
        for part in order {
            for (own, stream, sum) in &mut ranks {
                match part {
                    0 => drop(own.take()),
                    1 => drop(stream.take()),
                    _ => {
                        let sum = sum.take();
                        assert_eq!(
                            sum.map(|sum| sum.to_vec::<f32>()).transpose()?,
                            Some(vec![2.0; 100]),
                            "{order:?}"
                        );
                    }
                }
            }
        }
    }
    assert_eq!(live(), 0, "the last drop of each group found its work over");
    for device in Device::all()? {
        device.close()?;
    }
    Backend::finalize()?;
    Ok(())
}

/// Work that is queued on one rank alone cannot end.
#[test]
fn a_drop_does_not_wait_for_other_ranks() -> Outcome {
    if !is_alone(module_path!(), "a_drop_does_not_wait_for_other_ranks", &MODES)? {
        return Ok(());
    }
    let mut group = at_once(2)?;
    let streams = [Stream::new(group[0].device())?, Stream::new(group[1].device())?];
    let mut sums = Vec::new();
    for stream in &streams {
        let own = group.remove(0);
        sums.push(own.all_reduce(&Tensor::ones(stream, [3], DType::F32)?, ReduceOp::Sum)?);
        // The other rank has called nothing when the first one goes.
        drop(own);
    }
    assert_eq!(sums[0].to_vec::<f32>()?, [2.0; 3]);
    assert_eq!(sums[1].to_vec::<f32>()?, [2.0; 3]);
    drop((sums, streams));
    assert_eq!(live(), 0);
    Ok(())
}

#[test]
fn a_communicator_closes_once_nobody_else_holds_it() -> Outcome {
    if !is_alone(module_path!(), "a_communicator_closes_once_nobody_else_holds_it", &MODES)? {
        return Ok(());
    }
    in_threads(2, |own| {
        let sum = own.all_reduce(&Tensor::ones(own.device(), [3], DType::F32)?, ReduceOp::Sum)?;
        let clone = own.clone();
        let refused = clone.close().unwrap_err();
        assert!(matches!(refused.error(), Error::InUse { others: 1, .. }), "{refused}");
        assert!(refused.to_string().contains("a communicator of device"), "{refused}");
        assert!(refused.into_handle().is_some_and(|own| own.size() == 2));
        assert_eq!(sum.to_vec::<f32>()?, [2.0; 3]);
        Ok(())
    })?;
    let id = Id::new(&Device::open(0)?)?;
    std::thread::scope(|scope| {
        let ranks = [0, 1].map(|rank| {
            let id = &id;
            scope.spawn(move || {
                let own = Communicator::init(&Device::open(rank as i32)?, id, rank, 2)?;
                let stream = Stream::new(own.device())?;
                let sum = own.all_reduce(&Tensor::ones(&stream, [3], DType::F32)?, ReduceOp::Sum)?;
                own.close()?;
                // It waited for the work.
                assert!(stream.query()?);
                sum.to_vec::<f32>()
            })
        });
        for rank in ranks {
            assert_eq!(rank.join().unwrap_or_else(|_| unreachable!("a rank panics"))?, [2.0; 3]);
        }
        Ok::<_, Error>(())
    })?;
    assert_eq!(live(), 0);
    Ok(())
}

/// The device of a communicator stays open, and a device ends with what its streams still do.
#[test]
fn a_communicator_holds_its_device() -> Outcome {
    if !is_alone(module_path!(), "a_communicator_holds_its_device", &MODES)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let own = Communicator::init(&device, &Id::new(&device)?, 0, 1)?;
    let refused = device.close().unwrap_err();
    assert!(matches!(refused.error(), Error::InUse { .. }), "{refused}");
    let device = refused.into_handle();
    own.all_reduce(&Tensor::ones(own.device(), [3], DType::F32)?, ReduceOp::Sum)?;
    drop(own);
    device.map_or(Ok(()), Device::close)?;
    assert_eq!(live(), 0);
    Ok(())
}

/// A rank for each thread, as the page about collectives says.
#[test]
fn operators_that_are_waited_for_stop_no_rank() -> Outcome {
    let variables = [("ACLNN_SYNC", "1"), ("CANN_STUBS_RANK_TIMEOUT", "60")];
    if !super::with(module_path!(), "operators_that_are_waited_for_stop_no_rank", &MODES, &variables)? {
        return Ok(());
    }
    let sums = in_threads(2, |own| {
        let mut x = Tensor::ones(own.device(), [3], DType::F32)?;
        for _ in 0..5 {
            // One rank has operators before the collective, the other one behind it.
            if own.rank() == 0 {
                x.add_in_place(1)?;
            }
            own.all_reduce_in_place(&mut x, ReduceOp::Max)?;
            if own.rank() == 1 {
                x.add_in_place(0)?;
            }
        }
        x.to_vec::<f32>()
    })?;
    assert_eq!(sums, [[6.0; 3]; 2]);
    Ok(())
}
