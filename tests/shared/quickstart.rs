//! What the crate page promises, with values.

use aclnn::product::Product;
use aclnn::{Complex, DType, Device, Edition, Error, Policy, Scalar, Stream, Tensor, bf16, f16, ops};

use crate::support;

type Outcome = Result<(), Error>;

#[test]
fn mixed_addition_with_broadcast() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6].map(|v: i32| f16::from_f32(v as f32)), [2, 3])?;
    let b = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
    let expected = [1.5, 3.5, 5.5, 4.5, 6.5, 8.5];
    assert_eq!(a.add(&b)?.to_vec::<f32>()?, expected);
    assert_eq!((&a + &b)?.to_vec::<f32>()?, expected);
    assert_eq!(ops::add(&a, &b).policy(Policy::Delegate).run()?.to_vec::<f32>()?, expected);
    let scaled = ops::add(&a, &b).alpha(0.5).dtype(DType::F16).run()?;
    assert_eq!(scaled.to_vec::<f16>()?, [1.25, 2.75, 4.25, 4.25, 5.75, 7.25].map(f16::from_f32));
    Ok(())
}

#[test]
fn four_operations_and_their_operators() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[8i32, -9, 10], [3])?;
    let b = Tensor::from_slice(&device, &[2i32, 3, 4], [3])?;
    assert_eq!((&a + &b)?.to_vec::<i32>()?, [10, -6, 14]);
    assert_eq!((&a - &b)?.to_vec::<i32>()?, [6, -12, 6]);
    assert_eq!((&a * &b)?.to_vec::<i32>()?, [16, -27, 40]);
    assert_eq!((&a / &b)?.to_vec::<f32>()?, [4.0, -3.0, 2.5]);
    assert_eq!(ops::rsub(&a, &b).alpha(2).run()?.to_vec::<i32>()?, [-14, 21, -16]);
    assert_eq!(ops::sub(&a, &b).alpha(3).run()?.to_vec::<i32>()?, [2, -18, -2]);
    Ok(())
}

#[test]
fn scalars_on_both_sides() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [3])?;
    assert_eq!((&a + 1)?.to_vec::<f32>()?, [2.0, 3.0, 5.0]);
    assert_eq!((&a / 2.0)?.to_vec::<f32>()?, [0.5, 1.0, 2.0]);
    let left = (1.0f32 - &a)?;
    assert_eq!(left.to_vec::<f32>()?, [0.0, -1.0, -3.0]);
    assert_eq!((3 * &a)?.to_vec::<f32>()?, [3.0, 6.0, 12.0]);
    assert_eq!((1 / &a)?.to_vec::<f32>()?, [1.0, 0.5, 0.25]);
    assert_eq!((&a * f16::from_f32(0.25))?.to_vec::<f32>()?, [0.25, 0.5, 1.0]);
    assert_eq!((f16::from_f32(0.25) * &a)?.to_vec::<f32>()?, [0.25, 0.5, 1.0]);
    assert_eq!((bf16::from_f32(2.0) / &a)?.to_vec::<f32>()?, [2.0, 1.0, 0.5]);
    assert_eq!((0.5f32 * &a)?.to_vec::<f32>()?, [0.5, 1.0, 2.0]);
    assert_eq!((0.5f64 * &a)?.to_vec::<f32>()?, [0.5, 1.0, 2.0]);
    assert_eq!((Scalar::from(8u8) / &a)?.to_vec::<f32>()?, [8.0, 4.0, 2.0]);
    assert_eq!((Complex::new(0.0f32, 2.0) / &a)?.to_vec::<Complex<f32>>()?[1], Complex::new(0.0, 1.0));
    assert_eq!((&a / a.numel())?.to_vec::<f32>()?, [1.0 / 3.0, 2.0 / 3.0, 4.0 / 3.0]);
    assert_eq!((&a + -1isize)?.to_vec::<f32>()?, [0.0, 1.0, 3.0]);

    let half = Tensor::from_slice(&device, &[f16::ONE; 2], [2])?;
    assert_eq!(half.add(0.5)?.to_vec::<f16>()?, [f16::from_f32(1.5); 2], "an f64 beside f16 stays f16");
    let whole = Tensor::from_slice(&device, &[7i32, 8], [2])?;
    assert_eq!(whole.add(0.5)?.to_vec::<f32>()?, [7.5, 8.5], "a float beside i32 makes f32");
    assert_eq!(whole.mul(3u8)?.to_vec::<i32>()?, [21, 24]);
    let turned = a.mul(Complex::new(0.0f32, 1.0))?;
    assert_eq!(turned.dtype(), DType::C64);
    assert_eq!(turned.to_vec::<Complex<f32>>()?[1], Complex::new(0.0, 2.0));
    Ok(())
}

#[test]
fn tensors_by_value() -> Outcome {
    let device = Device::open(0)?;
    let a = || Tensor::from_slice(&device, &[1i32, 2, 4], [3]);
    let b = Tensor::from_slice(&device, &[10i32, 20, 30], [3])?;
    let expected = [11, 22, 34];
    assert_eq!((a()? + &b)?.to_vec::<i32>()?, expected);
    assert_eq!((&b + a()?)?.to_vec::<i32>()?, expected);
    assert_eq!((a()? + b.clone())?.to_vec::<i32>()?, expected);
    assert_eq!((b.clone() - a()?)?.to_vec::<i32>()?, [9, 18, 26]);
    assert_eq!((&b - a()?)?.to_vec::<i32>()?, [9, 18, 26]);
    assert_eq!((a()? * 3)?.to_vec::<i32>()?, [3, 6, 12]);
    assert_eq!((a()? / 2.0)?.to_vec::<f32>()?, [0.5, 1.0, 2.0]);
    assert_eq!((1 - a()?)?.to_vec::<i32>()?, [0, -1, -3]);
    assert_eq!((4.0f32 / a()?)?.to_vec::<f32>()?, [4.0, 2.0, 1.0]);
    assert_eq!((-a()?)?.to_vec::<i32>()?, [-1, -2, -4]);
    // The longer an expression, the more of it is by value.
    assert_eq!((((2 * &b)? - a()?)? / (&b + 0)?)?.to_vec::<f32>()?, [1.9, 1.9, 56.0 / 30.0]);
    Ok(())
}

#[test]
fn the_other_names_of_things() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_vec(&device, vec![1i16, 2, 3, 4, 5, 6], (2, 3))?;
    assert_eq!(a.dims(), [2, 3]);
    assert_eq!(a.to_dtype(DType::F32)?.to_vec::<f32>()?, a.cast(DType::F32)?.to_vec::<f32>()?);
    assert_eq!(DType::of::<i16>(), a.dtype());
    assert!(Tensor::zeros(&device, (), DType::of::<f32>())?.dims().is_empty());
    assert_eq!(Tensor::ones(device.clone(), (2,), DType::F32)?.to_vec::<f32>()?, [1.0; 2]);

    // Like a view: its shape and type, in row-major order, on its stream.
    let stream = Stream::new(&device)?;
    let turned = a.to(&stream)?.transpose(0, -1)?;
    for (like, value) in [(turned.zeros_like()?, 0), (turned.ones_like()?, 1), (turned.full_like(7.9)?, 7)] {
        assert_eq!((like.dims(), like.dtype()), (&[3, 2][..], DType::I16));
        assert!(like.is_contiguous() && *like.stream() == stream && !like.shares_buffer_with(&turned));
        assert_eq!(like.to_vec::<i16>()?, [value; 6]);
    }
    let empty = turned.empty_like()?;
    assert_eq!((empty.dims(), empty.dtype(), empty.stream()), (&[3, 2][..], DType::I16, &stream));
    Ok(())
}

#[test]
fn in_place() -> Outcome {
    let device = Device::open(0)?;
    let mut a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    let b = Tensor::from_slice(&device, &[f16::ONE; 3], [3])?;
    a.add_in_place(&b)?;
    ops::sub_in_place(&mut a, 1).alpha(3).run()?;
    assert_eq!(a.to_vec::<f32>()?, [-1.0, 0.0, 1.0]);
    a.mul_in_place(2)?;
    a.div_in_place(4.0)?;
    assert_eq!(a.to_vec::<f32>()?, [-0.5, 0.0, 0.5]);

    let mut narrow = Tensor::from_slice(&device, &[f16::from_f32(2048.0)], [1])?;
    narrow.add_in_place(&Tensor::from_slice(&device, &[1.5f32], [1])?)?;
    assert_eq!(narrow.to_vec::<f16>()?, [f16::from_f32(2050.0)], "computed in f32, rounded once");

    let mut same = Tensor::from_slice(&device, &[1i32, 2], [2])?;
    let alias = same.clone();
    same.add_in_place(&alias)?;
    assert_eq!(alias.to_vec::<i32>()?, [2, 4], "a clone shares the elements");
    Ok(())
}

#[test]
fn explicit_output() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.5f32, -2.5], [2])?;
    let mut out = Tensor::zeros(&device, [2], DType::I16)?;
    ops::mul(&a, 2).run_into(&mut out)?;
    assert_eq!(out.to_vec::<i16>()?, [3, -5]);
    let mut own = a.copy()?;
    let alias = own.clone();
    ops::add(&alias, &a).run_into(&mut own)?;
    assert_eq!(own.to_vec::<f32>()?, [3.0, -5.0]);
    assert_eq!(ops::div(&a, 0.5).dtype(DType::I64).run()?.to_vec::<i64>()?, [3, -5]);
    Ok(())
}

#[test]
fn fills_ranges_and_casts() -> Outcome {
    let device = Device::open(0)?;
    let has_types = !support::skips_on(&device, Product::Ascend310P, "it has no bf16, and fills no u16");
    if has_types {
        assert_eq!(Tensor::zeros(&device, [2, 2], DType::U16)?.to_vec::<u16>()?, [0; 4]);
        assert_eq!(Tensor::ones(&device, [3], DType::BF16)?.to_vec::<bf16>()?, [bf16::ONE; 3]);
    }
    assert_eq!(Tensor::full(&device, [2], 2.9, DType::I8)?.to_vec::<i8>()?, [2; 2]);
    let mut filled = Tensor::zeros(&device, [2], DType::F32)?;
    filled.fill_in_place(7)?;
    assert_eq!(filled.to_vec::<f32>()?, [7.0; 2]);

    let numbers = [0.0, 0.5, 1.0, 1.5, 2.0];
    if has_types {
        let ramp = Tensor::arange(&device, 0.0, 2.5, 0.5, DType::BF16)?;
        assert_eq!(ramp.to_vec::<bf16>()?, numbers.map(bf16::from_f32));
    } else {
        let ramp = Tensor::arange(&device, 0.0, 2.5, 0.5, DType::F16)?;
        assert_eq!(ramp.to_vec::<f16>()?, numbers.map(f16::from_f32));
    }
    assert_eq!(Tensor::arange(&device, 3u32, 3u32, 1u32, DType::I32)?.shape().to_string(), "[0]");
    assert_eq!(Tensor::range_inclusive(&device, 0, 4, 2, DType::I64)?.to_vec::<i64>()?, [0, 2, 4]);
    assert_eq!(Tensor::linspace(&device, 0, 1, 5, DType::F64)?.to_vec::<f64>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(Tensor::linspace(&device, 0, 1, 0, DType::F32)?.numel(), 0);

    let a = Tensor::from_slice(&device, &[300.0f32, -1.0], [2])?;
    assert_eq!(a.cast(DType::I8)?.to_vec::<i8>()?, [44, -1]);
    assert_eq!(
        a.cast(DType::C128)?.to_vec::<Complex<f64>>()?,
        [Complex::new(300.0, 0.0), Complex::new(-1.0, 0.0)]
    );
    Ok(())
}

#[test]
fn no_elements_and_single_ones() -> Outcome {
    let device = Device::open(0)?;
    let nothing = Tensor::from_slice::<f32>(&device, &[], [0, 3])?;
    assert!(nothing.add(1)?.to_vec::<f32>()?.is_empty());
    assert_eq!(nothing.copy()?.shape(), &aclnn::Shape::from([0, 3]));
    assert!(nothing.cast(DType::I8)?.to_vec::<i8>()?.is_empty());
    let single = Tensor::from_slice(&device, &[2.0f32], [])?;
    assert_eq!(single.mul(&single)?.to_vec::<f32>()?, [4.0]);
    assert_eq!(nothing.add(&single)?.numel(), 0);
    Ok(())
}

#[test]
fn editions_differ_where_they_say() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.0f64], [1])?;
    let b = Tensor::from_slice(&device, &[Complex::new(0.5f32, 2.0)], [1])?;
    assert_eq!(a.add(&b)?.dtype(), DType::C64);
    let wide = ops::add(&a, &b).edition(Edition::Revised).run()?;
    assert_eq!(wide.to_vec::<Complex<f64>>()?, [Complex::new(1.5, 2.0)]);
    Ok(())
}
