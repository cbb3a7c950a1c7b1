//! Views: a part of a tensor, or its elements in another order, without a copy. Writing to a view writes to its tensor.

use aclnn::{DType, Device, Error, Tensor};

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = Tensor::arange(&device, 0, 12, 1, DType::I32)?.reshape([3, 4])?;
    println!("{grid}");

    // Each is another way to look at the same twelve elements.
    println!("row 1          {:?}", grid.select(0, 1)?.to_vec::<i32>()?);
    println!("last 2 columns {:?}", grid.slice(1, -2..)?.to_vec::<i32>()?);
    println!("every 2nd      {:?}", grid.flatten_all()?.slice_step(0, .., 2)?.to_vec::<i32>()?);
    println!("transposed     {:?}", grid.transpose(0, 1)?.to_vec::<i32>()?);
    println!("one element    {}", grid.select(0, 2)?.select(0, -1)?.item::<i32>()?);
    for (index, row) in grid.iter()?.enumerate() {
        println!("row {index}          {row}");
    }

    // Operators read views and write through them. Writing takes `&mut` of the handle that is written through.
    let mut column = grid.select(1, 0)?;
    column.fill_in_place(-1)?;
    grid.select(0, 1)?.mul_in_place(10)?;

    // From a slice, and from another tensor, which is converted and broadcast: one row to two.
    grid.slice(0, 2..)?.slice(1, 2..)?.copy_from_slice(&[100, 101])?;
    let row = Tensor::from_slice(&device, &[0.9f32, 1.9], [2])?;
    grid.slice(0, ..2)?.slice(1, 1..3)?.copy_from(&row)?;
    println!("{grid}");

    // A view that repeats elements can be read, but not written: the writes would meet.
    let mut repeated = column.unsqueeze(1)?.broadcast_to([3, 2])?;
    println!("repeated       {:?}", repeated.to_vec::<i32>()?);
    if let Err(error) = repeated.fill_in_place(0) {
        println!("{error}");
    }
    Ok(())
}

// Output:
// [[ 0,  1,  2,  3],
//  [ 4,  5,  6,  7],
//  [ 8,  9, 10, 11]]
// i32[3, 4] on device 0
// row 1          [4, 5, 6, 7]
// last 2 columns [2, 3, 6, 7, 10, 11]
// every 2nd      [0, 2, 4, 6, 8, 10]
// transposed     [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
// one element    11
// row 0          [0, 1, 2, 3] i32[4] on device 0
// row 1          [4, 5, 6, 7] i32[4] on device 0
// row 2          [ 8,  9, 10, 11] i32[4] on device 0
// [[ -1,   0,   1,   3],
//  [-10,   0,   1,  70],
//  [ -1,   9, 100, 101]]
// i32[3, 4] on device 0
// repeated       [-1, -1, -10, -10, -1, -1]
// fill_in_place(self i32[3, 2], value i32): elements of self share their memory, so it cannot be written; make a copy first
