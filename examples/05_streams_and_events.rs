//! Streams: queues of work that run in parallel. Work on tensors of two streams is ordered automatically; events order
//! everything else, and measure time.

use aclnn::{DType, Device, Error, Stream, Tensor, ops};

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (left, right) = (Stream::new(&device)?, Stream::new(&device)?);

    // Whatever makes a tensor takes a device or a stream, and work goes to the stream of its first operand. All of this
    // only queues: the two products may run at the same time.
    let a = Tensor::full(&left, [3], 3, DType::F32)?;
    let b = Tensor::full(&right, [3], 4, DType::F32)?;
    let a_squared = a.mul(&a)?;
    let b_squared = b.mul(&b)?;

    // This is queued on the left, and waits on the device for what the right computes. The host does not wait.
    let sum = a_squared.add(&b_squared)?;
    println!("the sum is of the left stream: {}", *sum.stream() == left);

    // Another stream may be asked to do the work, with tensors of any.
    let doubled = ops::mul(&sum, 2).on(&right).run()?;

    // Reading waits for what it needs.
    println!("{:?} {:?}", sum.to_vec::<f32>()?, doubled.to_vec::<f32>()?);

    // An event marks what is queued so far. What comes to the right from here on waits for it, though they share no tensor.
    let before = left.record()?;
    let large = Tensor::ones(&left, [1 << 16], DType::F32)?.add(1)?;
    let after = left.record()?;
    right.wait(&after)?;
    right.synchronize()?;
    println!("the left is done too: {}", after.is_complete()?);
    println!("{} sums took {:?}", large.numel(), after.elapsed_since(&before)?);
    Ok(())
}

// Output:
// the sum is of the left stream: true
// [25.0, 25.0, 25.0] [50.0, 50.0, 50.0]
// the left is done too: true
// 65536 sums took …
