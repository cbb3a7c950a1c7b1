//! Elements by their indices and masks through the safe layer: shapes, views, forms in place, and what is refused. What the
//! operators compute is tested with the emulator; expectations here are written out.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use aclnn::ops::ScatterReduction;
use aclnn::product::Product;
use aclnn::{DType, Device, Element, Error, Stream, Tensor, ops};

use crate::support;

/// Fails with an error whose text has all these parts.
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, parts: &[&str]) {
    let Err(error) = result else { panic!("{result:?} was not refused, but should name {parts:?}") };
    for part in parts {
        assert!(error.to_string().contains(part), "{part:?} is missing in: {error}");
    }
}

fn of<T: Element>(device: &Device, values: &[T]) -> Result<Tensor, Error> {
    Tensor::from_slice(device, values, values.len())
}

fn grid(device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1, 2, 3, 4, 5, 6], [2, 3])
}

#[test]
fn elements_are_taken_by_indices_of_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (grid, turned) = (grid(&device)?, grid(&device)?.transpose(0, 1)?);
    let at = Tensor::from_slice(&device, &[9i64, 1, 9, 0], [2, 2])?.select(1, 1)?;
    assert_eq!(turned.index_select(-1, &at)?.to_vec::<i32>()?, [4, 1, 5, 2, 6, 3]);
    let square = grid.take_axis(1, &Tensor::from_slice(&device, &[0i32, -1, 2, 0], [2, 2])?)?;
    assert_eq!((square.dims(), square.to_vec::<i32>()?), (&[2, 2, 2][..], vec![1, 3, 3, 1, 4, 6, 6, 4]));
    let one = Tensor::from_slice(&device, &[-1i64], ())?;
    assert_eq!(grid.take_axis(0, &one)?.to_vec::<i32>()?, [4, 5, 6]);
    assert_eq!(turned.take(&of(&device, &[1i64, -1])?)?.to_vec::<i32>()?, [4, 6]);
    let at = Tensor::from_slice(&device, &[2i64, 0], [2, 1])?;
    assert_eq!(grid.gather(1, &at)?.to_vec::<i32>()?, [3, 4]);
    assert_eq!(grid.gather_nd(&Tensor::from_slice(&device, &[1i64, -1], [1, 2])?)?.to_vec::<i32>()?, [6]);
    let single = Tensor::from_slice(&device, &[7i32], ())?;
    assert_eq!(single.index_select(0, &of(&device, &[0i64])?)?.dims(), [0usize; 0]);
    assert_eq!(single.take_axis(0, &of(&device, &[0i64, 0])?)?.to_vec::<i32>()?, [7, 7]);
    assert_eq!(grid.index_select(0, &of::<i64>(&device, &[])?)?.dims(), [0, 3]);
    let table = grid.cast(DType::F32)?;
    assert_eq!(table.embedding(&Tensor::from_slice(&device, &[1i64, 1], [2, 1])?)?.dims(), [2, 1, 3]);
    Ok(())
}

#[test]
fn each_axis_has_indices_of_its_own() -> Result<(), Error> {
    let device = Device::open(0)?;
    let cube = Tensor::arange(&device, 0, 24, 1, DType::I32)?.reshape([2, 3, 4])?;
    let (a, b) = (of(&device, &[1i64, 0])?, of(&device, &[-1i64, 1])?);
    // As numpy.arange(24).reshape(2, 3, 4) indexed in the same way.
    assert_eq!(cube.index(&[Some(&a), Some(&b)])?.to_vec::<i32>()?, [20, 21, 22, 23, 4, 5, 6, 7]);
    let apart = cube.index(&[Some(&a), None, Some(&b)])?;
    assert_eq!((apart.dims(), apart.to_vec::<i32>()?), (&[2, 3][..], vec![15, 19, 23, 1, 5, 9]));
    let column = Tensor::from_slice(&device, &[0i64, 2], [2, 1])?;
    let block = cube.index(&[None, Some(&column), Some(&b)])?;
    assert_eq!((block.dims(), block.to_vec::<i32>()?), (&[2, 2, 2][..], vec![3, 1, 11, 9, 15, 13, 23, 21]));
    assert_eq!(cube.index(&[])?.to_vec::<i32>()?, (0..24).collect::<Vec<_>>());
    assert_eq!(cube.index(&[None, Some(&of::<i64>(&device, &[])?)])?.dims(), [2, 0, 4]);

    let mut line = of(&device, &[1.0f32, 2.0, 3.0])?;
    let twice = of(&device, &[1i64, 1])?;
    line.index_put_add_in_place(&[Some(&twice)], &of(&device, &[10.0f32])?)?;
    assert_eq!(line.to_vec::<f32>()?, [1.0, 22.0, 3.0]);
    let found = line.gt(2.5)?.nonzero_axes()?;
    line.index_put_in_place(&[found.first()], &of(&device, &[0.0f32])?)?;
    assert_eq!(line.to_vec::<f32>()?, [1.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn slices_are_written_in_place_and_through_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend950, "its operator of updates takes no i32") {
        return Ok(());
    }
    let grid = grid(&device)?;
    let mut columns = grid.transpose(0, 1)?;
    columns.index_copy_in_place(0, &of(&device, &[2i64])?, &Tensor::from_slice(&device, &[8, 9], [1, 2])?)?;
    assert_eq!(grid.to_vec::<i32>()?, [1, 2, 8, 4, 5, 9]);
    columns.index_add_in_place(1, &of(&device, &[0i64, 0])?, &Tensor::ones(&device, [3, 2], DType::I32)?)?;
    assert_eq!(grid.to_vec::<i32>()?, [3, 4, 10, 4, 5, 9]);
    let lacks_some = "it fills no slices, and updates no i32 by coordinates";
    let is_310p = support::skips_on(&device, Product::Ascend310P, lacks_some);
    if is_310p {
        columns.copy_from_slice(&[0, 2, 4, 2, 10, 2])?;
    } else {
        columns.index_fill_in_place(0, &of(&device, &[-3i64, 7])?, 0)?;
        assert_eq!(grid.to_vec::<i32>()?, [0, 4, 10, 0, 5, 9]);
        columns.index_fill_at_in_place(1, &[1], 2.9)?;
    }
    assert_eq!(grid.to_vec::<i32>()?, [0, 4, 10, 2, 2, 2]);
    columns.scatter_in_place(
        0,
        &of(&device, &[1i64])?.reshape([1, 1])?,
        &of(&device, &[5])?.reshape([1, 1])?,
    )?;
    columns.put_in_place(&of(&device, &[5i64])?, &of(&device, &[6])?)?;
    assert_eq!(grid.to_vec::<i32>()?, [0, 5, 10, 2, 2, 6]);
    let first = Tensor::from_slice(&device, &[0i64, 0], [1, 2])?;
    if is_310p {
        columns.put_in_place(&of(&device, &[0i64])?, &of(&device, &[7])?)?;
    } else {
        columns.scatter_nd_in_place(&first, &of(&device, &[7])?)?;
    }
    columns.scatter_value_in_place(1, &Tensor::from_slice(&device, &[1i64], [1, 1])?, 8)?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 5, 10, 8, 2, 6]);
    columns.masked_fill_in_place(&columns.gt(6)?, &Tensor::from_slice(&device, &[0i32], ())?)?;
    columns.masked_scatter_in_place(&columns.eq(0)?, &of(&device, &[11, 12, 13])?)?;
    assert_eq!(grid.to_vec::<i32>()?, [11, 5, 13, 12, 2, 6]);

    let floats = grid.cast(DType::F32)?;
    let at = Tensor::from_slice(&device, &[1i64, 0, 0, 2], [2, 2])?;
    let updated = floats.scatter_nd(&at, &of(&device, &[0.5f32, 1.5])?)?;
    assert_eq!(updated.to_vec::<f32>()?, [11.0, 5.0, 1.5, 0.5, 2.0, 6.0]);
    if !is_310p {
        assert_eq!(grid.scatter_nd(&at, &of(&device, &[7, 8])?)?.to_vec::<i32>()?, [11, 5, 8, 7, 2, 6]);
    }
    let last = of(&device, &[1i64, 2])?;
    let single = floats.scatter_nd(&last, &Tensor::from_slice(&device, &[9.0f32], ())?)?;
    assert_eq!(single.select(0, 1)?.to_vec::<f32>()?, [12.0, 2.0, 9.0]);

    let empty = Tensor::zeros(&device, [0, 3], DType::I32)?;
    let nothing = of::<i64>(&device, &[])?;
    assert_eq!(grid.index_add(0, &nothing, &empty)?.to_vec::<i32>()?, grid.to_vec::<i32>()?);
    assert_eq!(grid.index_copy(0, &nothing, &empty)?.to_vec::<i32>()?, grid.to_vec::<i32>()?);
    let none = Tensor::zeros(&device, [0, 3], DType::I64)?;
    assert_eq!(grid.scatter_add(0, &none, &empty)?.to_vec::<i32>()?, grid.to_vec::<i32>()?);
    Ok(())
}

#[test]
fn elements_of_one_place_are_reduced() -> Result<(), Error> {
    use ScatterReduction::{Max, Sum};
    let device = Device::open(0)?;
    let (mut line, at) = (of(&device, &[2, 3])?, of(&device, &[0i64, 0])?);
    let src = of(&device, &[5, 7])?;
    line.scatter_reduce_in_place(0, &at, &src, Sum)?;
    assert_eq!(line.to_vec::<i32>()?, [14, 3]);
    line.scatter_add_in_place(0, &at, &src)?;
    assert_eq!(line.scatter_reduce(0, &at, &src, ScatterReduction::Product)?.to_vec::<i32>()?, [26 * 35, 3]);
    if device.product() == Some(Product::Ascend910B) {
        refused(line.scatter_reduce(0, &at, &src, Max), &["scatter_reduce(", "on other products only"]);
        let alone = ops::scatter_reduce(&line, 0, &at, &src, Sum).exclude_self().run();
        refused(alone, &["without the tensor's own elements"]);
    }
    let stream = Stream::new(&device)?;
    let sum = ops::index_add(&line, 0, &at, &src).alpha(-1).on(&stream).run()?;
    assert_eq!(sum.to_vec::<i32>()?, [14, 3]);
    let grad = Tensor::ones(&device, [3, 2], DType::F16)?;
    let at = of(&device, &[1i64, 1, 0])?;
    let rows = ops::embedding_backward(&grad, &at, 2).padding(0).scale_by_frequency();
    assert_eq!(rows.run()?.cast(DType::F32)?.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0]);
    Ok(())
}

#[test]
fn what_a_mask_finds_has_the_shape_of_what_is_true() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let even = of(&device, &[false, true, false])?;
    let found = grid.masked_select(&even)?;
    assert_eq!((found.dims(), found.to_vec::<i32>()?), (&[2][..], vec![2, 5]));
    assert_eq!(found.add(&found)?.to_vec::<i32>()?, [4, 10]);
    let turned = grid.transpose(0, 1)?.masked_select(&grid.transpose(0, 1)?.gt(3)?)?;
    assert_eq!(turned.to_vec::<i32>()?, [4, 5, 6]);
    assert_eq!(grid.masked_select(&grid.gt(9)?)?.dims(), [0]);
    assert_eq!(Tensor::zeros(&device, [0], DType::F32)?.masked_select(&even.slice(0, ..0)?)?.dims(), [0]);
    let coordinates = grid.gt(4)?.nonzero()?;
    assert_eq!((coordinates.dims(), coordinates.to_vec::<i64>()?), (&[2, 2][..], vec![1, 1, 1, 2]));
    assert_eq!(grid.gt(9)?.nonzero()?.dims(), [0, 2]);
    assert_eq!(grid.gt(9)?.nonzero_axes()?.len(), 2);
    let filled = grid.masked_fill(&even, 0)?;
    assert_eq!(
        (filled.to_vec::<i32>()?, grid.to_vec::<i32>()?),
        (vec![1, 0, 3, 4, 0, 6], vec![1, 2, 3, 4, 5, 6])
    );
    Ok(())
}

/// Several threads share what is as large as this.
#[test]
fn large_tensors_are_taken_apart_and_put_together() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (rows, columns) = (1500, 700);
    let values: Vec<f32> = (0..rows * columns).map(|value| value as f32).collect();
    let grid = Tensor::from_slice(&device, &values, [rows, columns])?;
    let order: Vec<i64> = (0..rows as i64).map(|row| row * 611 % 1500).collect();
    let order = of(&device, &order)?;
    let mixed = grid.index_select(0, &order)?;
    let turned = grid.transpose(0, 1)?.index_select(1, &order)?.transpose(0, 1)?.contiguous()?;
    let wanted: Vec<f32> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| ((row * 611 % 1500) * columns + column) as f32))
        .collect();
    assert_eq!(mixed.to_vec::<f32>()?, wanted);
    assert_eq!(turned.to_vec::<f32>()?, wanted);
    assert_eq!(grid.zeros_like()?.index_copy(0, &order, &mixed)?.to_vec::<f32>()?, values);
    let odd = grid.cast(DType::I32)?.bitwise_and(1)?.cast(DType::Bool)?;
    let found = grid.masked_select(&odd)?.to_vec::<f32>()?;
    assert!(found.iter().copied().eq((0..rows * columns / 2).map(|value| (2 * value + 1) as f32)));
    let places = odd.nonzero()?.select(1, 1)?.contiguous()?.to_vec::<i64>()?;
    assert!(places.iter().copied().eq((0..rows * columns / 2).map(|value| (2 * value as i64 + 1) % 700)));
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_launched() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend950, "its operator of updates takes no i32") {
        return Ok(());
    }
    let (mut grid, line) = (grid(&device)?, of(&device, &[0i64])?);
    refused(grid.index_select(2, &line), &["index_select(self i32[2, 3], index i64[1])", "axis 2"]);
    refused(grid.index_select(0, &of(&device, &[0.5f32])?), &["IndexSelect does not take f32"]);
    refused(grid.index_select(0, &line.reshape([1, 1])?), &["index has 2 axes, but must have one"]);
    refused(grid.gather(0, &line), &["index has shape [1] and self [2, 3]", "as many axes"]);
    refused(
        grid.gather(0, &line.broadcast_to([1, 4])?),
        &["index has shape [1, 4]", "[2, 3] of self but for axis 0"],
    );
    refused(grid.gather_nd(&Tensor::zeros(&device, [1, 3], DType::I64)?), &["from 1 to 2 coordinates"]);
    refused(Tensor::zeros(&device, [0], DType::F32)?.take(&line), &["self has no elements to take"]);
    refused(grid.embedding(&of(&device, &[1u8])?), &["Embedding does not take u8"]);
    refused(grid.index(&[Some(&line), None, Some(&line)]), &["3 entries, but self has 2 axes"]);
    refused(grid.index(&[Some(&of(&device, &[true, false])?)]), &["nonzero_axes"]);
    let pair = of(&device, &[0i64, 1, 0])?;
    refused(grid.index(&[Some(&pair), Some(&of(&device, &[0i64, 1])?)]), &["do not broadcast"]);
    refused(grid.index_put(&[Some(&line)], &of(&device, &[1, 2])?), &["values has shape [2]", "[1, 3]"]);
    refused(grid.index_put(&[Some(&line)], &of(&device, &[1.0f32])?), &["values is f32, but must be i32"]);
    let source = Tensor::zeros(&device, [2, 2], DType::I32)?;
    refused(grid.index_add(0, &line, &source), &["source has shape [2, 2], but [1, 3] is needed"]);
    refused(grid.index_fill_at(1, &[0, -4], 1), &["axis 1 has 3 indices, and -4 is none of them"]);
    refused(
        grid.scatter(0, &Tensor::zeros(&device, [3, 3], DType::I64)?, &source),
        &["within [2, 2] of source"],
    );
    // An Ascend310P updates no i32.
    let is_310p = device.product() == Some(Product::Ascend310P);
    let updated = if is_310p { DType::F32 } else { DType::I32 };
    let updates =
        grid.cast(updated)?.scatter_nd(&Tensor::zeros(&device, [1, 1], DType::I64)?, &source.cast(updated)?);
    refused(updates, &["updates has shape [2, 2], but [1, 3] is needed"]);
    refused(grid.put(&line, &source), &["index has 1 elements, but source has 4"]);
    refused(grid.masked_fill(&of(&device, &[true])?.reshape([1, 1, 1])?, 0), &["mask has shape [1, 1, 1]"]);
    refused(grid.masked_fill(&of(&device, &[1u8])?, 0), &["does not take u8"]);
    refused(grid.masked_select(&of(&device, &[true, false])?), &["masked_select("]);
    refused(Tensor::zeros(&device, (), DType::I32)?.nonzero(), &["self has no axes"]);
    let view = grid.clone();
    refused(
        grid.index_copy_in_place(0, &of(&device, &[1i64, 0])?, &view),
        &["share elements", "copy one first"],
    );
    let mut wide = of(&device, &[1])?.broadcast_to([3])?;
    let shared = wide.put_in_place(&line, &of(&device, &[2])?);
    assert!(matches!(shared, Err(Error::SharedElements { .. })), "{shared:?}");
    assert_eq!(grid.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
    Ok(())
}
