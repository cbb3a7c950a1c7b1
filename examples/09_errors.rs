//! Errors: they name the operator, its operands and what to do. Bad input is found before anything is launched; work
//! that fails later is reported by its stream. `ACLNN_SYNC=1 cargo run --example 09_errors` waits after every operator,
//! which shows the one that failed.

use std::error::Error as _;

use aclnn::layout::BroadcastError;
use aclnn::{Device, Error, Failure, Stream, Tensor};
use cann_stubs::control::{self, When};

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    let b = Tensor::from_slice(&device, &[1u64, 2, 3], [3])?;

    // The message is complete. The variant and the source are for a program that reacts to it.
    let Err(refused) = a.add(&b) else { return Ok(()) };
    println!("{refused}");
    println!("is it the types? {}", matches!(refused, Error::NotPromotable { .. }));

    let short = a.slice(0, ..2)?;
    let Err(refused) = a.add(&short) else { return Ok(()) };
    println!("{refused}");
    let cause = refused.source().and_then(|cause| cause.downcast_ref::<BroadcastError>());
    println!("on axis {:?}", cause.map(|cause| cause.axis));

    // Only the emulator fails on demand: here the work of a product, when it runs.
    let fault = control::fail("run:aclnnMul", When::Always, 507_015);
    let stream = Stream::new(&device)?;
    let own = a.to(&stream)?;
    let lost = own.mul(&own).and_then(|product| product.add(1)).and_then(|sum| sum.to_vec::<f32>());
    let Err(failed) = lost else {
        println!("nothing failed");
        return Ok(());
    };
    println!("{failed}");

    // What the library returned: its code, the name of the code, and what is known about it.
    if let Some(failure) = failed.source().and_then(|cause| cause.downcast_ref::<Failure>()) {
        println!("{} {:?} {:?}", failure.function, failure.code, failure.name());
        println!("{:?}", failure.hint());
    }

    // The stream stays failed, and so does what it computed. A new one goes on, with tensors that it had no part in.
    println!("still failed? {}", stream.synchronize().is_err());
    drop(fault);
    let stream = Stream::new(&device)?;
    let own = a.to(&stream)?;
    println!("{:?}", own.mul(&own)?.to_vec::<f32>()?);
    Ok(())
}

// Output:
// add(self f32[3], other u64[3]): f32 and u64 do not promote to a common type: u64 promotes only with itself (published promotion table); cast one operand first
// is it the types? true
// add(self f32[3], other f32[2]): shapes [3] and [2] do not broadcast: on axis 0 the sizes are 3 and 2, which must be equal or one of them 1
// on axis Some(0)
// work on a stream failed: aclrtSynchronizeStream returned 507015 ACL_ERROR_RT_AICORE_EXCEPTION: an AI core failed; …
// aclrtSynchronizeStream Some(507015) Some("ACL_ERROR_RT_AICORE_EXCEPTION")
// Some("look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which")
// still failed? true
// [1.0, 4.0, 9.0]
