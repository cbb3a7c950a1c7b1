//! Programs of the safe layer: each opens the device, computes, and gives everything back. What they give is worked out
//! by hand.

use aclnn::{Complex, DType, Device, Element, Error, Generator, Stream, Tensor, bf16, f16, onnx, ops};

use crate::support;

/// A program, and the values it gives.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Result<Vec<f64>, Error>,
    pub(crate) values: &'static [f64],
}

macro_rules! programs {
    ($($(#[$attribute:meta])* $name:ident => $values:expr;)*) => {
        pub(crate) const ALL: &[Program] =
            &[$($(#[$attribute])* Program { name: stringify!($name), run: $name, values: &$values }),*];
    };
}

programs! {
    mixed_add => [1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 0.5, 1.0, 1.5];
    in_place => [30.0, 40.0, 50.0, 9.0, 9.0, 7.0, 8.0, 9.0];
    views => [1.0, 4.0, 2.0, 5.0, 3.0, 6.0, 7.0, 2.0, 8.0, 4.0, 5.0, 6.0];
    two_streams => [6.0, 6.0, 8.0, 8.0];
    ranges => [0.0, 0.5, 1.0, 1.5, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0];
    onnx_casts => [1.0, 0.5, 56.0, 10.0, 8.0, 6.0];
    many_buffers => [1.0, 2.0, 3.0];
    scalars => [3.0, 5.0, 1.5, 2.5, 0.5, 1.0, 0.0, 3.0];
    everything_closes => [2.0, 2.0];
    there_and_back => [4.0, 5.0, 6.0, 7.0, 4.0, 1.0, 2.0, 3.0];
    drops_in_odd_order => [2.0, 3.0];
    into_another_type => [3.0, 4.0, 2.0, 3.0];
    attributes_and_bounds => [0.5, 1.0, 2.0, -0.5, 2.0];
    lists_and_arrays => [4.0, 2.0, 1.0, 1.0, 3.0, 7.0, 7.0, 5.0];
    joined => [1.0, 2.0, 0.5, 0.5, 1.0, 2.0];
    changed_together => [4.0, 8.0, 1.0];
    sizes_by_value => [1.0, 3.0, 2.0, 1.0, 3.0];
    random => [1.0, 1.0, 0.0, 1.0, 2.0, 0.0];
    quotients_and_choices => [3.0, -4.0, 10.0, 7.0, 0.5, 5.0, 100.0, 100.0, 1.0];
    causal_attention => [1.0, 2.0, 1.5, 0.5];
    #[cfg(feature = "collectives")]
    group_of_one => [1.0, 2.0, 1.0, 3.0, 2.0, 4.0, 2.0, 4.0, 3.0, 5.0, 1.0, 3.0, 2.0, 4.0, 1.0, 2.0];
}

/// Every collective that one rank can call, out of place and through views.
#[cfg(feature = "collectives")]
fn group_of_one() -> Result<Vec<f64>, Error> {
    use aclnn::collective::{Communicator, Id, ReduceOp};
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let own = Communicator::init(&device, &Id::new(&device)?, 0, 1)?;
    let mut x = Tensor::from_slice(&device, &[1i32, 2, 3, 4], [2, 2])?;
    read::<i32>(&mut values, &own.all_reduce(&x.select(0, 0)?, ReduceOp::Sum)?)?;
    read::<i32>(&mut values, &own.on(&stream).all_gather(&x.select(1, 0)?)?)?;
    own.all_reduce_in_place(&mut x.select(1, 1)?, ReduceOp::Max)?;
    own.broadcast_in_place(&mut x, 0)?;
    own.barrier()?;
    read::<i32>(&mut values, &own.reduce_scatter(&x.select(1, 1)?, ReduceOp::Min)?)?;
    let mut out = own.all_to_all(&x.select(1, 1)?)?;
    read::<i32>(&mut values, &out)?;
    own.scatter_into(Some(&x.select(1, 0)?.add(2)?), &mut out, 0)?;
    own.check()?;
    read::<i32>(&mut values, &out)?;
    read::<i32>(&mut values, &own.all_to_all_parts(&x.select(1, 0)?, &[2], &[2])?)?;
    read::<i32>(&mut values, &own.all_gather_parts(&x.select(1, 1)?, &[2])?)?;
    read::<i32>(&mut values, &own.reduce_scatter_parts(&x.select(0, 0)?, &[2], ReduceOp::Sum)?)?;
    own.close()?;
    let group = Communicator::init_all(std::slice::from_ref(&device))?;
    drop((group, x, out));
    stream.close()?;
    device.close()?;
    Ok(values)
}

/// Seeds and offsets by value, and draws of which there is one.
fn random() -> Result<Vec<f64>, Error> {
    let (mut values, mut generator) = (Vec::new(), Generator::new(3));
    let device = Device::open(0)?;
    read::<f32>(&mut values, &Tensor::randint(&device, [2], 1..2, DType::F32, &mut generator)?)?;
    let order = Tensor::randperm(&device, 1, DType::F32, &mut generator)?;
    read::<f32>(&mut values, &order)?;
    let weights = Tensor::from_slice(&device, &[0.0f32, 2.0], [2])?;
    let place = weights.multinomial(1, false, &mut generator)?.cast(DType::F32)?;
    read::<f32>(&mut values, &place)?;
    let pair = Tensor::from_slice(&device, &[2.0f32, 0.0], [2])?;
    read::<f32>(&mut values, &pair.dropout(0.0, &mut generator)?.0)?;
    drop((order, weights, place, pair));
    device.close()?;
    Ok(values)
}

/// A list of tensors, one of which is cast, and an array of numbers.
fn joined() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1i32, 2], [2])?;
    let b = Tensor::from_slice(&device, &[0.5f32], [1])?;
    let joined = Tensor::cat(&[&a, &b], 0)?;
    read::<f32>(&mut values, &joined)?;
    read::<f32>(&mut values, &joined.roll(1, 0)?)?;
    drop((a, b, joined));
    device.close()?;
    Ok(values)
}

/// Keys that match alike, of which the first query sees one; and how much each value counts.
fn causal_attention() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let query = Tensor::ones(&device, [1, 1, 2, 16], DType::F32)?;
    let value = Tensor::from_slice(&device, &[1.0f32, 3.0], [1, 1, 2, 1])?;
    let attention = ops::attention(&query, &query, &value).causal();
    let forward = attention.run_for_gradients()?;
    read::<f32>(&mut values, &forward.out)?;
    let gradients = attention.backward(&forward, &value.ones_like()?)?;
    read::<f32>(&mut values, &gradients.value)?;
    drop((query, value, forward, gradients));
    device.close()?;
    Ok(values)
}

/// Lists of tensors that are read and written, with numbers of their own, and a step of an optimizer.
fn changed_together() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let mut a = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    let mut b = Tensor::from_slice(&device, &[1.5f32], [1])?;
    let (other, zeros) = (a.copy()?, b.zeros_like()?);
    ops::foreach::add(&mut [&mut a, &mut b], &[&other, &zeros], 1)?;
    ops::foreach::mul_scalars(&mut [&mut a, &mut b], &[2.into(), 1.into()])?;
    let (mut first, mut second) = (zeros.copy()?, zeros.copy()?);
    // The gradient is one, so that the first step is as long as the rate.
    let one = zeros.ones_like()?;
    ops::adam_w(&mut b, &mut first, &mut second, &one, &zeros).lr(0.5).weight_decay(0.0).run()?;
    read::<f32>(&mut values, &a)?;
    values.extend(b.to_vec::<f32>()?.iter().map(|value| f64::from(*value).round()));
    drop((a, b, other, zeros, first, second, one));
    device.close()?;
    Ok(values)
}

/// Reads a tensor.
fn read<T: Element + Into<f64>>(values: &mut Vec<f64>, tensor: &Tensor) -> Result<(), Error> {
    values.extend(tensor.to_vec::<T>()?.into_iter().map(Into::into));
    Ok(())
}

fn mixed_add() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
    let b = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
    read::<f32>(&mut values, &a.add(&b)?)?;
    let scaled = ops::add(&b, &a.select(0, 0)?).alpha(0.5).dtype(DType::F16).run()?;
    read::<f16>(&mut values, &scaled.sub(&b.mul(0.5)?)?.cast(DType::F16)?.sub(0.25)?)?;
    drop((a, b, scaled));
    device.close()?;
    Ok(values)
}

fn attributes_and_bounds() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[f16::ONE, f16::from_f32(0.25), f16::from_f32(7.0)], [3])?;
    let highest = Tensor::from_slice(&device, &[0.5f32, 9.0, 2.0], [3])?;
    read::<f32>(&mut values, &a.clamp(1, &highest)?.clamp_max(2)?)?;
    let b = Tensor::from_slice(&device, &[-1.0f32, 2.0], [2])?;
    read::<f32>(&mut values, &b.leaky_relu(0.5)?)?;
    drop((a, b, highest));
    device.close()?;
    Ok(values)
}

fn quotients_and_choices() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[7i8, -7, 5], [3])?;
    let mut b = Tensor::from_slice(&device, &[2.0f32, 2.0, 0.5], [3])?;
    read::<f32>(&mut values, &a.floor_divide(&b)?)?;
    read::<f32>(&mut values, &a.gt(0)?.where_(&a, 0.5)?)?;
    b.addcmul_in_place(&b.cast(DType::F16)?, &b.copy()?, 2)?;
    b.pow_in_place(2)?;
    read::<f32>(&mut values, &b)?;
    drop((a, b));
    device.close()?;
    Ok(values)
}

fn in_place() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let mut a = Tensor::from_slice(&device, &[1i32, 2, 3], [3])?;
    let b = Tensor::from_slice(&device, &[2i32, 2, 2], [3])?;
    a.add_in_place(&b)?;
    a.mul_in_place(10)?;
    read::<i32>(&mut values, &a)?;
    a.slice(0, 0..2)?.fill_in_place(9)?;
    read::<i32>(&mut values, &a.slice(0, 0..2)?)?;
    a.copy_from_slice(&[7, 8, 9])?;
    read::<i32>(&mut values, &a)?;
    drop((a, b));
    device.close()?;
    Ok(values)
}

fn views() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    read::<f32>(&mut values, &grid.transpose(0, 1)?)?;
    let mut corners = grid.slice_step(1, 0..3, 2)?.select(0, 0)?;
    corners.copy_from(&Tensor::from_slice(&device, &[7i16, 8], [2])?)?;
    read::<f32>(&mut values, &grid)?;
    drop((grid, corners));
    device.close()?;
    Ok(values)
}

fn two_streams() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let a = Tensor::full(&first, [2], 2, DType::I32)?;
    let mut b = ops::mul(&a, 3).on(&second).run()?;
    let event = second.record()?;
    first.wait(&event)?;
    read::<i32>(&mut values, &b)?;
    ops::add_in_place(&mut b, &a).on(&first).run()?;
    // Read elsewhere when it goes: its home waits.
    drop(ops::add(&a, 1).on(&second).run()?);
    drop(a);
    event.synchronize()?;
    event.is_complete()?;
    read::<i32>(&mut values, &b)?;
    event.close()?;
    drop(b);
    second.close()?;
    first.synchronize()?;
    drop(first);
    device.close()?;
    Ok(values)
}

fn ranges() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let ramp = Tensor::arange(&device, 0, 2, 0.5, support::halves(&device))?;
    match ramp.dtype() {
        DType::BF16 => read::<bf16>(&mut values, &ramp)?,
        _ => read::<f16>(&mut values, &ramp)?,
    }
    read::<i32>(&mut values, &ramp.cast(DType::I32)?)?;
    read::<f32>(&mut values, &Tensor::linspace(&device, 1, 3, 3, DType::F32)?)?;
    drop(ramp);
    device.close()?;
    Ok(values)
}

fn onnx_casts() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.0f32, 0.5], [2])?;
    read::<f16>(&mut values, &onnx::cast(&a, DType::F16).run()?)?;
    // 0.5 is 2⁻¹: of the bias 8, code 7 above three bits of fraction.
    let small = onnx::cast(&a, DType::F8E4M3FNUZ).run()?;
    values.extend(small.to_bytes()?.into_iter().skip(1).map(f64::from));
    read::<i32>(&mut values, &onnx::range(&device, 10, 4, -2).run()?)?;
    drop((a, small));
    device.close()?;
    Ok(values)
}

fn many_buffers() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let before = device.memory_info()?;
    for value in 1..=3 {
        let large = Tensor::full(&device, [200 << value], value, DType::F32)?;
        let twice = large.mul(2)?;
        read::<f32>(&mut values, &twice.sub(&large)?.slice(0, 5..6)?)?;
        if value == 2 {
            device.trim()?;
        }
    }
    device.trim()?;
    assert_eq!(device.memory_info()?, before);
    device.close()?;
    Ok(values)
}

fn scalars() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1i32, 2], [2])?;
    read::<i32>(&mut values, &ops::rsub(&a, 1).alpha(-2).run()?)?;
    read::<f32>(&mut values, &a.add(0.5)?)?;
    read::<f32>(&mut values, &a.div(2)?)?;
    let turned = a.cast(DType::F32)?.mul(Complex::new(0.0f32, 3.0))?.to_vec::<Complex<f32>>()?;
    values.extend(turned.iter().take(1).flat_map(|value| [f64::from(value.re), f64::from(value.im)]));
    drop(a);
    device.close()?;
    Ok(values)
}

fn everything_closes() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let before = stream.record()?;
    let a = Tensor::ones(&stream, [2], DType::F32)?.add(1)?;
    let after = stream.record()?;
    device.stream().wait(&after)?;
    device.synchronize()?;
    after.elapsed_since(&before)?;
    read::<f32>(&mut values, &a)?;
    drop(a);
    before.close()?;
    after.close()?;
    stream.close()?;
    device.stream().close()?;
    device.close()?;
    Ok(values)
}

fn there_and_back() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let mut a = Tensor::from_slice(&device, &[4u8, 5, 6, 7], [2, 2])?;
    read::<u8>(&mut values, &a)?;
    let b = Tensor::from_bytes(&device, DType::U8, &[1, 2, 3], [3])?;
    let flat = a.reshape([4])?;
    flat.slice(0, 1..4)?.copy_from_slice(&b.to_vec::<u8>()?)?;
    a.transpose(0, 1)?.copy_from_slice(&[4u8, 2, 1, 3])?;
    read::<u8>(&mut values, &a)?;
    a.copy_from(&b.select(0, 0)?)?;
    drop((a, b, flat));
    device.close()?;
    Ok(values)
}

fn drops_in_odd_order() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&device, &[1i32, 2], [2])?;
    let b = ops::add(&a, 1).on(&stream).run()?;
    let event = stream.record()?;
    drop(device);
    read::<i32>(&mut values, &b)?;
    drop((a, stream, b));
    // The event alone holds the device now.
    drop(event);
    Ok(values)
}

fn into_another_type() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.25f32, 2.25], [2])?;
    let mut out = Tensor::zeros(&device, [2], DType::I32)?;
    ops::add(&a, 2).dtype(DType::I32).run()?;
    let sum = ops::add(&a, 2).run()?;
    out.copy_from(&sum)?;
    read::<i32>(&mut values, &out)?;
    let mut half = Tensor::from_slice(&device, &[f16::ONE; 2], [2])?;
    half.add_in_place(&Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?)?;
    read::<f16>(&mut values, &half)?;
    drop((a, out, sum, half));
    device.close()?;
    Ok(values)
}

fn sizes_by_value() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[3i32, 1, 3], [3])?;
    let (unique, counts) = ops::unique(&a).run_with_counts()?;
    read::<i32>(&mut values, &unique)?;
    read::<i32>(&mut values, &counts.cast(DType::I32)?.sort(0)?.0.slice(0, 1..)?)?;
    read::<i32>(&mut values, &a.sort(0)?.0.slice(0, ..2)?)?;
    drop((a, unique, counts));
    device.close()?;
    Ok(values)
}

/// Calls with a list of tensors and with an array of the host, and a mask.
fn lists_and_arrays() -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    let device = Device::open(0)?;
    let mut grid = Tensor::from_slice(&device, &[1i32, 2, 3, 4], [2, 2])?;
    let (rows, columns) =
        (Tensor::from_slice(&device, &[1i64, 0, 0], [3])?, Tensor::from_slice(&device, &[-1i64, 1, 0], [3])?);
    read::<i32>(&mut values, &grid.index(&[Some(&rows), Some(&columns)])?)?;
    read::<i32>(
        &mut values,
        &grid.index_fill_at(1, &[-1], 7)?.reshape([2, 2])?.transpose(0, 1)?.contiguous()?,
    )?;
    grid.index_put_in_place(
        &[None, Some(&columns.slice(0, 2..)?)],
        &Tensor::from_slice(&device, &[5i32], [1])?,
    )?;
    read::<i32>(&mut values, &grid.masked_select(&grid.gt(4)?)?.slice(0, ..1)?)?;
    drop((grid, rows, columns));
    device.close()?;
    Ok(values)
}
