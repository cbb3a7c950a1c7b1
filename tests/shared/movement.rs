//! Movements through the safe layer: what is planned, which types are moved, where results go, what is refused. What the
//! operators compute is tested with the emulator. Expected elements are written out, or found index by index.

use aclnn::ops::PadMode;
use aclnn::{Complex, DType, Device, Edition, Ellipsis, Error, NewAxis, Policy, Tensor, f16, ops, step};

fn ramp(device: &Device, shape: &[usize]) -> Result<Tensor, Error> {
    let values: Vec<i32> = (0..shape.iter().product::<usize>() as i32).collect();
    Tensor::from_slice(device, &values, shape)
}

/// NaN with bits of its own, both quiet and signalling: an operator that moves elements changes none of them.
#[test]
fn bits_of_nan_stay() -> Result<(), Error> {
    let device = Device::open(0)?;
    let bits = [0x7fc1_2345_u32, 0xffa0_0001, 0x7f80_0001, 0x3f80_0000];
    let values = bits.map(f32::from_bits);
    let own = Tensor::from_slice(&device, &values, [2, 2])?;
    let of = |tensor: Tensor| -> Result<Vec<u32>, Error> {
        Ok(tensor.to_vec::<f32>()?.into_iter().map(f32::to_bits).collect())
    };
    let [a, b, c, d] = bits;
    assert_eq!(of(Tensor::cat(&[&own, &own], 0)?)?, [a, b, c, d, a, b, c, d]);
    assert_eq!(of(Tensor::stack(&[&own, &own], 2)?)?, [a, a, b, b, c, c, d, d]);
    assert_eq!(of(own.flip([0])?)?, [c, d, a, b]);
    assert_eq!(of(own.roll(1, 1)?)?, [b, a, d, c]);
    assert_eq!(of(own.repeat(&[1, 2])?)?, [a, b, a, b, c, d, c, d]);
    assert_eq!(of(own.repeat_interleave(2, 0)?)?, [a, b, a, b, c, d, c, d]);
    assert_eq!(of(own.tril(0)?)?, [a, 0, c, d]);
    assert_eq!(of(own.diag(0)?)?, [a, d]);
    assert_eq!(of(own.pad(&[(1, 0)], PadMode::Reflect)?)?, [b, a, b, d, c, d]);
    assert_eq!(of(own.pad(&[(0, 1)], PadMode::Circular)?)?, [a, b, a, c, d, c]);
    Ok(())
}

/// On the 910B Roll takes no u16, u64 or f64, Flip no u16, RepeatInterleave no u32 and ReplicationPad no bool.
#[test]
fn types_that_an_operator_does_not_take_are_moved_as_others_of_their_width() -> Result<(), Error> {
    let device = Device::open(0)?;
    let large = Tensor::from_slice(&device, &[u64::MAX, 1, 2], [3])?;
    assert_eq!(large.roll(1, 0)?.to_vec::<u64>()?, [2, u64::MAX, 1]);
    let exact = Tensor::from_slice(&device, &[0.1, -0.0, f64::MAX], [3])?;
    assert_eq!(exact.roll(1, 0)?.to_vec::<f64>()?, [f64::MAX, 0.1, -0.0]);
    let short = Tensor::from_slice(&device, &[u16::MAX, 1, 2], [3])?;
    assert_eq!(short.flip([0])?.to_vec::<u16>()?, [2, 1, u16::MAX]);
    assert_eq!(
        Tensor::cat(&[&short, &short.slice(0, ..1)?], 0)?.to_vec::<u16>()?,
        [u16::MAX, 1, 2, u16::MAX]
    );
    let middle = Tensor::from_slice(&device, &[u32::MAX, 7], [2])?;
    assert_eq!(middle.repeat_interleave(2, 0)?.to_vec::<u32>()?, [u32::MAX, u32::MAX, 7, 7]);
    let truth = Tensor::from_slice(&device, &[true, false], [2])?;
    assert_eq!(truth.pad(&[(1, 1)], PadMode::Replicate)?.to_vec::<bool>()?, [true, true, false, false]);
    let four = Tensor::ones(&device, [2], DType::I8)?.cast(DType::C128)?;
    let refused = four.roll(1, 0);
    let Err(error @ Error::Unsupported { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("Roll does not take c128"), "{error}");
    Ok(())
}

/// By the published table bf16 and f16 become f32, as do i32 and f16, which the library makes f16.
#[test]
fn joined_tensors_are_promoted_as_the_plan_says() -> Result<(), Error> {
    let device = Device::open(0)?;
    let whole = ramp(&device, &[2])?;
    let half = Tensor::from_slice(&device, &[f16::ONE], [1])?;
    let join = ops::cat(&[&whole, &half], 0);
    let promoted = Edition::Published.promote(DType::I32, DType::F16).unwrap();
    assert_eq!(join.plan()?.dtype(), promoted);
    assert_eq!(join.run()?.cast(DType::F32)?.to_vec::<f32>()?, [0.0, 1.0, 1.0]);
    let delegated = join.clone().policy(Policy::Delegate);
    assert_eq!(delegated.plan()?.to_string(), "cat: Cat i32, f16 → f16 [3]");
    assert_eq!(delegated.run()?.to_vec::<f16>()?, [0.0, 1.0, 1.0].map(f16::from_f32));
    let single = Tensor::from_slice(&device, &[0.5f32], [1])?;
    let auto = ops::stack(&[&half, &single], 0).policy(Policy::Auto);
    assert_eq!(
        auto.plan()?.to_string(),
        "stack: Stack f16, f32 → f32 [2, 1] (auto: delegated, the library casts alike)"
    );
    let same = ops::stack(&[&half, &half], 0).policy(Policy::Auto);
    assert_eq!(same.plan()?.to_string(), "stack: Stack f16 → f16 [2, 1] (auto: nothing to cast)");
    let insert = ops::stack(&[&half, &single], 0);
    assert_eq!(insert.plan()?.to_string(), "stack: Cast tensors f16→f32; Stack f32 → f32 [2, 1]");
    assert_eq!(auto.run()?.to_vec::<f32>()?, insert.run()?.to_vec::<f32>()?);
    // f32 is not converted to an integer by the library itself.
    let converted = ops::cat(&[&single, &single], 0).dtype(DType::I32);
    assert_eq!(converted.plan()?.to_string(), "cat: Cat f32 → f32 [2]; Cast result f32→i32");
    assert_eq!(converted.run()?.to_vec::<i32>()?, [0, 0]);
    assert_eq!(
        ops::cat(&[&single, &single], 0).dtype(DType::F16).plan()?.to_string(),
        "cat: Cat f32 → f16 [2]"
    );
    Ok(())
}

#[test]
fn joined_tensors_go_where_they_are_asked_for() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (a, b) = (ramp(&device, &[2, 2])?, ramp(&device, &[1, 2])?);
    let target = Tensor::zeros(&device, [2, 3], DType::I64)?;
    ops::cat(&[&a, &b], 0).run_into(&mut target.transpose(0, 1)?)?;
    assert_eq!(target.to_vec::<i64>()?, [0, 2, 0, 1, 3, 1]);
    // Views of a product that writes unsigned integers to contiguous tensors only.
    let short = Tensor::from_slice(&device, &[1u16, 2], [2])?;
    let target = Tensor::from_slice(&device, &[0u16; 4], [2, 2])?;
    ops::stack(&[&short, &short], 0).run_into(&mut target.transpose(0, 1)?)?;
    assert_eq!(target.to_vec::<u16>()?, [1, 1, 2, 2]);
    let overlapping = ops::cat(&[&a.at(..1)?], 0).run_into(&mut a.at((.., 1..))?.reshape([1, 2])?);
    assert!(matches!(overlapping, Err(Error::Overlap { .. })), "{overlapping:?}");
    let (none, more) = (Tensor::zeros(&device, [0, 2], DType::I32)?, Tensor::cat(&[&a, &b, &a], 0)?);
    assert_eq!(more.to_vec::<i32>()?, [0, 1, 2, 3, 0, 1, 0, 1, 2, 3]);
    assert_eq!(Tensor::cat(&[&none, &a], 0)?.to_vec::<i32>()?, [0, 1, 2, 3]);
    assert_eq!(Tensor::cat(&[&none, &none], 0)?.dims(), [0, 2]);
    assert_eq!(Tensor::stack(&[&none], 0)?.dims(), [1, 0, 2]);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_with_its_reason() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (a, b) = (ramp(&device, &[2, 3])?, ramp(&device, &[3, 2])?);
    let is = |result: Result<Tensor, Error>, words: &str| {
        let error = result.expect_err(words);
        assert!(
            matches!(error, Error::Argument { .. } | Error::View { .. } | Error::Scalar { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(words), "{error}");
    };
    is(Tensor::cat(&[], 0), "no tensors");
    is(Tensor::cat(&[&a, &b], 0), "[2, 3] and [3, 2] must be equal on all axes but 0");
    is(Tensor::cat(&[&a, &a], 2), "axis 2");
    is(Tensor::stack(&[&a, &b], 0), "must be equal");
    is(Tensor::stack(&[&a, &a], -4), "axis -4");
    is(a.flip([0, -2]), "axis 0 is listed twice");
    is(a.roll(1, 2), "axis 2");
    is(a.repeat(&[2]), "1 counts were given for 2 axes");
    is(a.repeat_interleave(2, 2), "axis 2");
    is(a.repeat_interleave_each(&Tensor::from_slice(&device, &[1i64, -1], [2])?, 0), "less than 0 times");
    is(a.repeat_interleave_each(&Tensor::from_slice(&device, &[1i64; 4], [4])?, 0), "one number or [2]");
    is(a.select(0, 0)?.tril(0), "a matrix has two");
    is(a.channel_shuffle(2), "2 axes");
    is(ramp(&device, &[1, 4, 1])?.channel_shuffle(3), "4 channels");
    is(a.pad(&[(0, 0); 3], PadMode::constant(0)), "3 axes are to be padded");
    is(a.pad(&[(0, 3)], PadMode::Reflect), "at most 2");
    is(a.pad(&[(4, 0)], PadMode::Circular), "at most 3");
    is(ramp(&device, &[1; 4])?.pad(&[(0, 0); 4], PadMode::Replicate), "one to three axes");
    is(ramp(&device, &[1, 1, 1])?.diag(0), "3 axes");
    let image = Tensor::zeros(&device, [1, 2, 2], DType::F32)?;
    is(ops::im2col(&image, [3, 1]).run(), "has no place");
    is(ops::im2col(&image, [1, 1]).stride([0, 1]).run(), "has no place");
    is(ops::im2col(&image.select(0, 0)?, [1, 1]).run(), "channels, height and width");
    let mut exact = Tensor::zeros(&device, [2, 2], DType::I64)?;
    let refused = exact.fill_diagonal_in_place((1i64 << 24) + 1, false);
    assert!(matches!(refused, Err(Error::Scalar { .. })), "{refused:?}");
    exact.diagonal(0, 0, 1)?.fill_in_place((1i64 << 24) + 1)?;
    assert_eq!(exact.to_vec::<i64>()?, [(1 << 24) + 1, 0, 0, (1 << 24) + 1]);
    Ok(())
}

/// Every mode on the last one to three axes of tensors of one to five, against the index that each mode shows.
#[test]
fn tensors_of_any_number_of_axes_are_padded() -> Result<(), Error> {
    let device = Device::open(0)?;
    let sizes = [2usize, 3, 4, 3, 2];
    for rank in 1..=5usize {
        let shape = &sizes[..rank];
        let tensor = ramp(&device, shape)?;
        for padded in 1..=rank.min(3) {
            let pads = &[(1, 0), (0, 1), (1, 1)][..padded];
            for mode in [PadMode::constant(-1), PadMode::Reflect, PadMode::Replicate, PadMode::Circular] {
                // The numbers of the elements that an axis of the result shows.
                let shown = |axis: usize| -> Vec<Option<usize>> {
                    let size = shape[axis] as i64;
                    let (before, after) =
                        if axis < rank - padded { (0, 0) } else { pads[axis + padded - rank] };
                    let at = |index: i64| match mode {
                        PadMode::Reflect => {
                            Some(if index < 0 { -index } else { size - 1 - (index - size + 1).abs() })
                        }
                        PadMode::Replicate => Some(index.clamp(0, size - 1)),
                        PadMode::Circular => Some(index.rem_euclid(size)),
                        _ => (0..size).contains(&index).then_some(index),
                    };
                    (-(before as i64)..size + after as i64)
                        .map(|index| if (0..size).contains(&index) { Some(index) } else { at(index) })
                        .map(|index| index.map(|index| index as usize))
                        .collect()
                };
                let mut expected = vec![Some(0usize)];
                let mut dims = Vec::new();
                for (axis, size) in shape.iter().enumerate() {
                    let indices = shown(axis);
                    dims.push(indices.len());
                    expected = expected
                        .iter()
                        .flat_map(|outer| {
                            indices.iter().map(move |inner| Some(outer.as_ref()? * size + inner.as_ref()?))
                        })
                        .collect();
                }
                let expected: Vec<i32> =
                    expected.into_iter().map(|number| number.map_or(-1, |number| number as i32)).collect();
                let result = tensor.pad(pads, mode)?;
                assert_eq!(result.dims(), dims, "{mode:?} {pads:?} of {shape:?}");
                assert_eq!(result.to_vec::<i32>()?, expected, "{mode:?} {pads:?} of {shape:?}");
                let turned = tensor.permute(&(0..rank).rev().collect::<Vec<_>>())?.contiguous()?;
                let turned = turned.permute(&(0..rank).rev().collect::<Vec<_>>())?;
                assert_eq!(turned.pad(pads, mode)?.to_vec::<i32>()?, expected);
            }
        }
    }
    Ok(())
}

/// The same elements as by one view after the other.
#[test]
fn indices_of_several_axes_are_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    let cube = ramp(&device, &[2, 3, 4])?;
    let same = |at: Tensor, dims: &[usize], first: &[i32]| {
        assert_eq!(at.dims(), dims);
        let values = at.to_vec::<i32>().unwrap();
        assert_eq!(&values[..first.len()], first);
        assert!(at.shares_buffer_with(&cube));
    };
    same(cube.at(1)?, &[3, 4], &[12, 13]);
    same(cube.at(-2)?, &[3, 4], &[0, 1]);
    same(cube.at(1..)?, &[1, 3, 4], &[12]);
    same(cube.at((1, 2, 3))?, &[], &[23]);
    same(cube.at((.., 1))?, &[2, 4], &[4, 5, 6, 7, 16]);
    same(cube.at((.., .., step(1.., 2)))?, &[2, 3, 2], &[1, 3, 5]);
    same(cube.at(step(.., 2))?, &[1, 3, 4], &[0, 1]);
    same(cube.at((Ellipsis, ..=1))?, &[2, 3, 2], &[0, 1, 4]);
    same(cube.at((0, Ellipsis, -1))?, &[3], &[3, 7, 11]);
    same(cube.at((1, NewAxis, (-2, -1), NewAxis, ..2))?, &[1, 1, 1, 2], &[16, 17]);
    same(cube.at(Ellipsis)?, &[2, 3, 4], &[0]);
    cube.at((.., 0, 0))?.fill_in_place(-1)?;
    assert_eq!(cube.at((1, 0))?.to_vec::<i32>()?, [-1, 13, 14, 15]);
    for refused in [
        cube.at((0, 0, 0, 0)),
        cube.at(2),
        cube.at((.., 4..9)),
        cube.at(step(.., 0)),
        cube.at((0, Ellipsis, Ellipsis)),
    ] {
        assert!(matches!(refused, Err(Error::View { .. } | Error::Argument { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn diagonals_are_views_and_matrices() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = ramp(&device, &[2, 3])?;
    for (offset, expected) in [
        (0, &[0, 4][..]),
        (1, &[1, 5]),
        (2, &[2]),
        (3, &[]),
        (9, &[]),
        (-1, &[3]),
        (-2, &[]),
        (i64::MIN, &[]),
    ] {
        assert_eq!(grid.diagonal(offset, 0, 1)?.to_vec::<i32>()?, expected, "{offset}");
        if offset > i64::MIN {
            assert_eq!(grid.diag(offset)?.to_vec::<i32>()?, expected, "{offset}");
        }
    }
    assert_eq!(ramp(&device, &[2, 2, 2])?.diagonal(0, 0, -1)?.to_vec::<i32>()?, [0, 5, 2, 7]);
    assert!(grid.diagonal(0, 1, 1).is_err());
    assert_eq!(grid.select(0, 1)?.diag(-1)?.at((.., 0))?.to_vec::<i32>()?, [0, 3, 0, 0]);
    assert_eq!(Tensor::zeros(&device, [0], DType::I32)?.diag(-1)?.to_vec::<i32>()?, [0]);
    assert_eq!(grid.diag_flat(0)?.dims(), [6, 6]);
    assert_eq!(Tensor::eye(&device, 2, 2, DType::F64)?.to_vec::<f64>()?, [1.0, 0.0, 0.0, 1.0]);
    let mut tall = Tensor::zeros(&device, [5, 2], DType::I32)?;
    tall.fill_diagonal_in_place(1, true)?;
    assert_eq!(tall.to_vec::<i32>()?, [1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    let mut lower = ramp(&device, &[3, 3])?;
    lower.transpose(0, 1)?.triu_in_place(1)?;
    assert_eq!(lower.to_vec::<i32>()?, [0, 0, 0, 3, 0, 0, 6, 7, 0]);
    lower.tril_in_place(-2)?;
    assert_eq!(lower.to_vec::<i32>()?, [0, 0, 0, 0, 0, 0, 6, 0, 0]);
    Ok(())
}

/// The parts of complex numbers are written through a view, and such a view is known to overlap what it views.
#[test]
fn complex_numbers_are_pairs_of_real_ones() -> Result<(), Error> {
    let device = Device::open(0)?;
    let numbers =
        [Complex::new(1.0f32, 2.0), Complex::new(3.0, 4.0), Complex::new(5.0, 6.0), Complex::new(7.0, 8.0)];
    let own = Tensor::from_slice(&device, &numbers, [2, 2])?;
    let parts = own.transpose(0, 1)?.slice(0, 1..)?.view_as_real()?;
    assert_eq!((parts.dims(), parts.dtype()), (&[1, 2, 2][..], DType::F32));
    assert_eq!(parts.to_vec::<f32>()?, [3.0, 4.0, 7.0, 8.0]);
    parts.at((Ellipsis, 1))?.mul_in_place(-1)?;
    let conjugated = [numbers[0], numbers[1].conj(), numbers[2], numbers[3].conj()];
    assert_eq!(own.to_vec::<Complex<f32>>()?, conjugated);
    assert_eq!(parts.view_as_complex()?.to_vec::<Complex<f32>>()?, [conjugated[1], conjugated[3]]);
    let overlapping = own.slice(0, ..1)?.copy_from(&own.view_as_real()?.at((..1, .., 0))?);
    assert!(matches!(overlapping, Err(Error::Overlap { .. })), "{overlapping:?}");
    own.slice(0, ..1)?.copy_from(&own.view_as_real()?.at((1.., .., 0))?)?;
    assert_eq!(own.at((0, 1))?.to_vec::<Complex<f32>>()?, [Complex::new(7.0, 0.0)]);
    let odd = Tensor::zeros(&device, [2, 3], DType::F32)?;
    for refused in [
        odd.view_as_complex(),
        odd.at((.., 1..))?.view_as_complex(),
        odd.view_as_real(),
        odd.at((.., step(.., 2)))?.view_as_complex(),
    ] {
        assert!(matches!(refused, Err(Error::Argument { .. })), "{refused:?}");
    }
    Ok(())
}

/// The expected places come from the same padding, or the same windows, of the numbers of the elements.
#[test]
fn derivatives_are_added_where_an_element_is_shown() -> Result<(), Error> {
    let device = Device::open(0)?;
    let sums = |shown: &Tensor, gradient: &Tensor, count: usize| -> Result<Vec<f32>, Error> {
        let mut sums = vec![0.0; count];
        for (place, value) in shown.to_vec::<i32>()?.iter().zip(gradient.to_vec::<f32>()?) {
            if let Some(sum) = usize::try_from(*place).ok().and_then(|place| sums.get_mut(place)) {
                *sum += value;
            }
        }
        Ok(sums)
    };
    let ramp = |dims: &[usize], dtype| {
        let count = dims.iter().product::<usize>() as i64;
        Tensor::arange(&device, 0, count, 1, dtype)?.reshape(dims)
    };
    type Padded = (&'static [usize], &'static [(usize, usize)]);
    let shapes: [Padded; 5] = [
        (&[5], &[(2, 1)]),
        (&[2, 3, 4], &[(0, 3)]),
        (&[3, 4], &[(1, 2), (3, 0)]),
        (&[2, 2, 3, 4], &[(1, 1), (2, 3)]),
        (&[2, 3, 3, 3], &[(1, 0), (0, 2), (2, 1)]),
    ];
    for (dims, pads) in shapes {
        for mode in [PadMode::Reflect, PadMode::Replicate, PadMode::Circular, PadMode::constant(-1)] {
            let shown = ramp(dims, DType::I32)?.pad(pads, mode)?;
            let (own, gradient) = (ramp(dims, DType::F32)?, ramp(shown.dims(), DType::F32)?);
            let derivatives = ops::pad_backward(&gradient, &own, pads, mode)?;
            assert_eq!(derivatives.dims(), dims);
            assert_eq!(
                derivatives.to_vec::<f32>()?,
                sums(&shown, &gradient, own.numel())?,
                "{dims:?} {mode:?}"
            );
        }
    }
    for (dims, axis, size, step) in [(&[7][..], 0, 3, 2), (&[2, 6, 2], 1, 4, 1), (&[3, 5], -1, 2, 3)] {
        let shown = ramp(dims, DType::I32)?.windows(axis, size, step)?;
        let gradient = ramp(shown.dims(), DType::F32)?;
        let derivatives = ops::windows_backward(&gradient, dims, axis, step)?;
        assert_eq!(derivatives.to_vec::<f32>()?, sums(&shown, &gradient, derivatives.numel())?, "{dims:?}");
    }
    let line = ramp(&[4], DType::F32)?;
    let refused = [
        ops::pad_backward(&line, &line, &[(1, 0)], PadMode::Replicate),
        ops::pad_backward(&line, &line.cast(DType::F16)?, &[(0, 0)], PadMode::Replicate),
        ops::pad_backward(&line, &line.slice(0, ..1)?, &[(3, 0)], PadMode::Reflect),
        ops::windows_backward(&line, [4], 0, 1),
        ops::windows_backward(&line.unsqueeze(0)?, [3], 0, 1),
        ops::windows_backward(&line.unsqueeze(0)?, [4], 1, 1),
        ops::windows_backward(&line.unsqueeze(0)?, [4], 0, 0),
    ];
    for result in refused {
        assert!(matches!(result, Err(Error::Argument { .. })), "{result:?}");
    }
    Ok(())
}
