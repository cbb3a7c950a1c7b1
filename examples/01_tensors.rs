//! Tensors: made on a device, printed, and read back.

use aclnn::{DType, Device, Error, Tensor, f16};

fn main() -> Result<(), Error> {
    // CANN where it is installed, else the emulator: the same program runs with an NPU and without.
    let device = Device::open(0)?;
    println!("{}", device.backend());

    // Elements of the host, in row-major order, and their shape. The Rust type decides the element type.
    let grid = Tensor::from_slice(&device, &[1.0f32, -0.5, 2.25, 10.0, 0.0, 3.5], [2, 3])?;
    println!("{} axes, {} elements of {}", grid.rank(), grid.numel(), grid.dtype());
    println!("{grid}");

    // Filled on the device: nothing is copied there.
    let halves = Tensor::full(&device, [4], 0.5, DType::F16)?;
    println!("{halves}");

    // Reading waits for the work that computes the elements. The Rust type has to be that of the elements.
    let values: Vec<f16> = halves.to_vec()?;
    println!("{values:?}");
    if let Err(error) = halves.to_vec::<f32>() {
        println!("{error}");
    }

    // A clone is another handle for the same elements, a copy has its own.
    let (mut clone, copy) = (grid.clone(), grid.copy()?);
    clone.fill_in_place(7)?;
    println!("{grid}");
    println!("{copy:.1}");
    Ok(())
}

// Output:
// …
// 2 axes, 6 elements of f32
// [[ 1.  , -0.5 ,  2.25],
//  [10.  ,  0.  ,  3.5 ]]
// f32[2, 3] on device 0
// [0.5, 0.5, 0.5, 0.5] f16[4] on device 0
// [0.5, 0.5, 0.5, 0.5]
// to_vec(self f16[4]): the tensor holds f16, not f32; use f16 here, or cast the tensor to f32 first
// [[7., 7., 7.],
//  [7., 7., 7.]]
// f32[2, 3] on device 0
// [[ 1. , -0.5,  2.2],
//  [10. ,  0. ,  3.5]]
// f32[2, 3] on device 0
