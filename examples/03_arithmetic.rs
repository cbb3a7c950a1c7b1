//! Arithmetic of mixed types: a plan of the launches is made first, and it can be printed.

use aclnn::plan::Policy;
use aclnn::{DType, Device, Error, Tensor, f16, ops};

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let half = Tensor::from_slice(&device, &[1, 2, 3, 4].map(|v: i8| f16::from(v)), [2, 2])?;
    let single = Tensor::from_slice(&device, &[0.5f32, 0.25], [2])?;
    let whole = Tensor::from_slice(&device, &[7i32, -7], [2])?;

    // Operands are promoted to a common type and broadcast to a common shape.
    println!("{}", ops::add(&half, &single).plan()?);
    println!("{}", (&half + &single)?);

    // Or they go to the library as they are, which converts them by itself: fewer launches.
    let delegated = ops::add(&half, &single).policy(Policy::Delegate);
    println!("{}", delegated.plan()?);
    println!("{:?}", delegated.run()?.to_vec::<f32>()?);

    // A factor for the second operand, and another type for the result.
    let scaled = ops::add(&single, &whole).alpha(0.5).dtype(DType::I32);
    println!("{}", scaled.plan()?);
    println!("{:?}", scaled.run()?.to_vec::<i32>()?);

    // The type of a scalar counts for less than that of a tensor: 0.5 is an f64, and the result stays f16.
    println!("{}", (&half * 0.5)?);
    // But integers become f32 beside it, and where they are divided.
    println!("{}", (&whole + 0.5)?);
    println!("{}", (&whole / 2)?);

    // In place the type stays. An f16 takes what was computed in f32, but an i32 does not.
    let mut sum = half.copy()?;
    println!("{}", ops::add_in_place(&mut sum, &single).plan()?);
    sum.add_in_place(&single)?;
    println!("{sum}");
    let mut count = whole.copy()?;
    if let Err(error) = count.add_in_place(&single) {
        println!("{error}");
    }
    Ok(())
}

// Output:
// add: Cast self f16→f32; Add f32 → f32 [2, 2]
// [[1.5 , 2.25],
//  [3.5 , 4.25]]
// f32[2, 2] on device 0
// add: Add f16, f32 → f32 [2, 2]
// [1.5, 2.25, 3.5, 4.25]
// add: Cast other i32→f32; Add f32 → f32 [2]; Cast result f32→i32
// [4, -3]
// [[0.5, 1. ],
//  [1.5, 2. ]]
// f16[2, 2] on device 0
// [ 7.5, -6.5] f32[2] on device 0
// [ 3.5, -3.5] f32[2] on device 0
// add_in_place: Cast self f16→f32; Add f32 → f16 [2, 2]
// [[1.5 , 2.25],
//  [3.5 , 4.25]]
// f16[2, 2] on device 0
// add_in_place(self i32[2], other f32[2]): the result is f32 and does not become i32: floating-point values do not become integers by themselves; compute into a new tensor and cast that
