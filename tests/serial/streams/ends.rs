//! Handles that end in any order, and with their thread.

use std::cell::RefCell;
use std::thread;

use aclnn::{DType, Device, Event, Stream, Tensor, ops};
use serial_test::serial;

use super::Outcome;

/// Runs what is given in every order.
fn permutations(count: usize, run: &mut dyn FnMut(&[usize]) -> Outcome) -> Outcome {
    fn extend(order: &mut Vec<usize>, count: usize, run: &mut dyn FnMut(&[usize]) -> Outcome) -> Outcome {
        if order.len() == count {
            return run(order);
        }
        for next in 0..count {
            if !order.contains(&next) {
                order.push(next);
                extend(order, count, run)?;
                order.pop();
            }
        }
        Ok(())
    }
    extend(&mut Vec::new(), count, run)
}

/// Any handle, to be dropped.
#[allow(dead_code, reason = "only dropped")]
enum Handle {
    Device(Device),
    Stream(Stream),
    Event(Event),
    Tensor(Tensor),
}

#[test]
#[serial]
fn handles_go_in_any_order() -> Outcome {
    permutations(5, &mut |order| {
        let device = Device::open(0)?;
        let stream = Stream::new(&device)?;
        let a = Tensor::ones(&device, [10], DType::F32)?;
        let b = ops::add(&a, 1).on(&stream).run()?;
        let event = stream.record()?;
        let mut handles = [
            Some(Handle::Device(device)),
            Some(Handle::Stream(stream)),
            Some(Handle::Tensor(a)),
            Some(Handle::Tensor(b)),
            Some(Handle::Event(event)),
        ];
        for &index in order {
            handles[index] = None;
        }
        // Nothing failed on the way that would be reported now.
        Device::open(0)?.synchronize()
    })
}

#[test]
#[serial]
fn tensors_may_go_with_their_thread() -> Outcome {
    thread_local!(static LAST: RefCell<Option<(Tensor, Stream)>> = const { RefCell::new(None) });
    let device = Device::open(0)?;
    device.trim()?;
    let before = device.memory_info()?;
    let made = device.clone();
    let thread = thread::spawn(move || -> Outcome {
        // Used first, so that it goes last: after what the runtime keeps for the thread.
        LAST.with_borrow_mut(|last| last.take());
        let (home, other) = (Stream::new(&made)?, Stream::new(&made)?);
        let a = Tensor::ones(&home, [1 << 20], DType::I32)?;
        let sum = ops::add(&a, 1).on(&other).run()?;
        assert_eq!(sum.slice(0, 0..2)?.to_vec::<i32>()?, [2, 2]);
        LAST.set(Some((a, other)));
        Ok(())
    });
    thread.join().unwrap()?;
    device.synchronize()?;
    device.trim()?;
    assert_eq!(device.memory_info()?, before);
    assert_eq!(Tensor::ones(&device, [1], DType::I32)?.to_vec::<i32>()?, [1]);
    device.close()?;
    Device::open(0)?.synchronize()
}
