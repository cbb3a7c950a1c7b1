//! Mixed types, a broadcast, a scalar, a range, and an error message. Runs with and without an NPU.

use aclnn::{DType, Device, Tensor, f16, ops};

fn main() -> Result<(), aclnn::Error> {
    let device = Device::open(0)?;
    println!("backend  {}", device.backend());

    // f16 + f32 → f32: a Cast of `a` is inserted, and [3] is broadcast to [2, 3].
    let a = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
    let b = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
    println!("plan     {}", ops::add(&a, &b).plan()?);
    let sum = a.add(&b)?;
    println!("{sum}");

    // A factor, and another type for the result.
    let scaled = ops::add(&a, &b).alpha(0.5).dtype(DType::F16);
    println!("plan     {}", scaled.plan()?);
    println!("{}", scaled.run()?);

    // A scalar does not change the type of a floating-point tensor.
    let half = (&a * 0.5)?;
    let values: Vec<f16> = half.to_vec()?;
    println!("a · 0.5  {values:?}");

    // Generated on the device.
    let ramp = Tensor::arange(&device, 0.0, 2.5, 0.5, DType::BF16)?;
    println!("ramp     {ramp}");

    // Refused before anything is launched, with a reason.
    let unsigned = Tensor::from_slice(&device, &[1u16, 2, 3], [3])?;
    if let Err(error) = a.add(&unsigned) {
        println!("error    {error}");
    }
    Ok(())
}
