//! Views share the buffer: they are read, written and computed with in place.

use aclnn::{Complex, DType, Device, Error, Tensor, f16, ops};

type Outcome = Result<(), Error>;

fn grid(device: &Device) -> Result<Tensor, Error> {
    Tensor::arange(device, 0, 12, 1, DType::I32)?.reshape([3, 4])
}

#[test]
fn reading_through_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    assert_eq!(grid.slice(0, 1..3)?.to_vec::<i32>()?, [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(grid.slice(1, 1..3)?.to_vec::<i32>()?, [1, 2, 5, 6, 9, 10]);
    assert_eq!(grid.slice_step(1, 0..4, 3)?.to_vec::<i32>()?, [0, 3, 4, 7, 8, 11]);
    assert_eq!(grid.slice_step(1, 1..4, usize::MAX)?.to_vec::<i32>()?, [1, 5, 9]);
    assert_eq!(grid.select(1, 2)?.to_vec::<i32>()?, [2, 6, 10]);
    assert_eq!(grid.transpose(0, 1)?.to_vec::<i32>()?, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    assert_eq!(grid.permute(&[1, 0])?.shape(), &aclnn::Shape::from([4, 3]));
    assert_eq!(grid.select(0, 1)?.broadcast_to([2, 4])?.to_vec::<i32>()?, [4, 5, 6, 7, 4, 5, 6, 7]);
    assert_eq!(grid.unsqueeze(1)?.squeeze(1)?.shape(), grid.shape());
    assert!(grid.slice(0, 3..3)?.to_vec::<i32>()?.is_empty());
    assert!(grid.select(1, 2)?.shares_buffer_with(&grid));
    assert!(!grid.select(1, 2)?.contiguous()?.shares_buffer_with(&grid));
    assert!(grid.contiguous()?.shares_buffer_with(&grid));
    Ok(())
}

#[test]
fn writing_through_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let mut column = grid.select(1, 1)?;
    column.copy_from_slice(&[-1, -2, -3])?;
    ops::add(&grid.select(1, 2)?, 100).run_into(&mut grid.select(1, 3)?)?;
    grid.slice(0, 0..1)?.fill_in_place(7)?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 7, 7, 7, 4, -2, 6, 106, 8, -3, 10, 110]);
    let mut middle = grid.slice(1, 1..3)?;
    middle.mul_in_place(0)?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 0, 0, 7, 4, 0, 0, 106, 8, 0, 0, 110]);
    Ok(())
}

#[test]
fn computing_with_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let turned = grid.transpose(0, 1)?;
    let sum = turned.add(&grid.select(1, 0)?)?;
    assert!(sum.is_contiguous());
    assert_eq!(sum.to_vec::<i32>()?, [0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19]);
    assert_eq!(turned.cast(DType::F16)?.to_vec::<f16>()?[1], f16::from_f32(4.0));
    Ok(())
}

#[test]
fn types_that_the_device_does_not_copy_are_gathered_on_the_host() -> Outcome {
    let device = Device::open(0)?;
    let value = |re: f32| Complex::new(f16::from_f32(re), f16::ZERO);
    let values: Vec<_> = (0..6).map(|v| value(v as f32)).collect();
    let turned = Tensor::from_slice(&device, &values, [2, 3])?.transpose(0, 1)?;
    let expected = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0].map(value);
    assert_eq!(turned.to_vec::<Complex<f16>>()?, expected);
    assert_eq!(turned.copy()?.to_vec::<Complex<f16>>()?, expected);
    assert_eq!(turned.slice(0, 1..3)?.to_vec::<Complex<f16>>()?, expected[2..]);
    Ok(())
}
