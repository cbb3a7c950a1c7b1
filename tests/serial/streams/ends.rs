//! Handles that end in any order, and with their thread.

use std::cell::RefCell;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use aclnn::{DType, Device, Error, Event, Stream, Tensor, ops};
use serial_test::serial;

use super::Outcome;
use crate::support;

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

/// A value of a thread that is dropped after the buffers of kernels, and before the context of the thread.
struct Computing(Tensor, Sender<Result<f32, Error>>);

impl Drop for Computing {
    fn drop(&mut self) {
        let compute = |a: &Tensor| {
            let spread = a.reshape([2, 3])?.transpose(0, 1)?.add(1)?;
            let sums = spread.cumsum(0)?.index_select(0, &Tensor::from_slice(a.device(), &[2i64], [1])?)?;
            let halves = a.cast(support::halves(a.device()))?.reshape([2, 3])?;
            let product = halves.matmul(&halves.transpose(0, 1)?)?;
            sums.sum(..)?.add(&product.sum(..)?)?.item::<f32>()
        };
        let _ = self.1.send(compute(&self.0));
    }
}

#[test]
#[serial]
fn a_thread_that_ends_may_still_compute() -> Outcome {
    if !support::is_emulated()? {
        support::skipped("what CANN keeps for a thread, and how long, is not known");
        return Ok(());
    }
    thread_local!(static LAST: RefCell<Option<Computing>> = const { RefCell::new(None) });
    let device = Device::open(0)?;
    let made = device.clone();
    let (sender, receiver) = channel();
    let thread = thread::spawn(move || -> Outcome {
        // What is used first goes last: the context, then this value, then the buffers.
        let a = Tensor::from_slice(&made, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [6])?;
        LAST.set(Some(Computing(a.copy()?, sender)));
        let halves = a.cast(support::halves(&made))?;
        let products = halves.reshape([1, 6])?.matmul(&halves.reshape([6, 1])?)?;
        assert_eq!(products.cast(DType::F32)?.to_vec::<f32>()?, [91.0]);
        let index = Tensor::from_slice(&made, &[0i64], [1])?;
        assert_eq!(a.cumsum(0)?.index_select(0, &index)?.sum(..)?.item::<f32>()?, 1.0);
        Ok(())
    });
    thread.join().unwrap()?;
    // The sums of the columns of [[2, 5], [3, 6], [4, 7]], and the elements of [[14, 32], [32, 77]].
    assert_eq!(receiver.recv().unwrap()?, 9.0 + 18.0 + 155.0);
    Ok(device.close()?)
}
