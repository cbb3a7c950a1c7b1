//! Threads and devices: threads share handles, each thread makes its own stream, and a tensor is copied to the device
//! where it is needed. To emulate two devices: `CANN_STUBS_DEVICES=2 cargo run --example 07_devices_and_threads`

use std::panic::resume_unwind;
use std::thread;

use aclnn::{DType, Device, Error, Stream, Tensor, ops};

const THREADS: i32 = 4;

/// The sum of one thread's part of the tensor, scaled, computed beside the other threads on the same device.
fn work(device: &Device, shared: &Tensor, number: i32) -> Result<f32, Error> {
    let stream = Stream::new(device)?;
    // Only this thread writes the result, but all read the same elements.
    let product = ops::mul(shared, number).on(&stream).run()?;
    Ok(product.to_vec::<f32>()?.iter().sum())
}

fn main() -> Result<(), Error> {
    // Opening a device twice gives the same one; `all` opens each.
    let devices = Device::all()?;
    match Device::count()? {
        1 => println!("there is one device, so all threads share it"),
        count => println!("there are {count} devices"),
    }

    let first = Tensor::arange(&devices[0], 0, 100, 1, DType::F32)?;
    for device in &devices {
        // A copy on that device. On the device where the tensor already is, it is queued like any other work.
        let local = first.to(device)?;
        let sums = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|number| {
                    let local = &local;
                    scope.spawn(move || work(device, local, number))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        println!("device {}: {sums:?}", device.id());
    }
    Ok(())
}

// Output:
// there is one device, so all threads share it
// device 0: [0.0, 4950.0, 9900.0, 14850.0]
