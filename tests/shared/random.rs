//! Random numbers through the safe layer: the state of a generator, ranges, and what is refused. Which numbers a seed gives
//! depends on the device, so nothing here names one.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Generator, Tensor, ops};

use crate::support;

type Result<T = ()> = aclnn::Result<T>;

#[test]
fn a_generator_moves_on_and_starts_again() -> Result {
    let device = Device::open(0)?;
    let mut generator = Generator::new(9);
    let mut draw = || Tensor::rand(&device, [100], DType::F32, &mut generator)?.to_vec::<f32>();
    let (first, second) = (draw()?, draw()?);
    assert!(first.iter().zip(&second).all(|(a, b)| a.to_bits() != b.to_bits() || *a == 0.0));
    let offset = generator.offset();
    let third = Tensor::randn(&device, [7], DType::F32, &mut generator)?.to_vec::<f32>()?;
    let mut restored = Generator::new(generator.seed()).with_offset(offset);
    assert_eq!(Tensor::randn(&device, [7], DType::F32, &mut restored)?.to_vec::<f32>()?, third);
    assert_eq!(restored, generator);
    let other = Tensor::rand(&device, [100], DType::F32, &mut Generator::new(10))?;
    assert_ne!(other.to_vec::<f32>()?, first);
    Ok(())
}

/// The elements of a view are drawn in its own order, and those beside it stay.
#[test]
fn random_numbers_of_a_view() -> Result {
    let device = Device::open(0)?;
    let grid = Tensor::full(&device, [5, 4], -1, DType::F32)?;
    let mut turned = grid.transpose(0, 1)?.slice(0, 1..3)?;
    turned.uniform_in_place(2.0..3.0, &mut Generator::new(1))?;
    let mut dense = Tensor::zeros(&device, [2, 5], DType::F32)?;
    dense.uniform_in_place(2.0..3.0, &mut Generator::new(1))?;
    assert_eq!(turned.to_vec::<f32>()?, dense.to_vec::<f32>()?);
    assert!(dense.to_vec::<f32>()?.iter().all(|number| (2.0..3.0).contains(number)));
    let others = grid.to_vec::<f32>()?.into_iter().filter(|number| *number == -1.0);
    assert_eq!(others.count(), 10);
    Ok(())
}

/// A tensor of probabilities may hold what is drawn by them.
#[test]
fn probabilities_are_read_before_they_are_overwritten() -> Result {
    let device = Device::open(0)?;
    let chances: Vec<f32> = (0..5000).map(|number| (number % 11) as f32 / 10.0).collect();
    if support::skips_on(&device, Product::Ascend310P, "it has no draws by probabilities") {
        return Ok(());
    }
    let mut own = Tensor::from_slice(&device, &chances, [50, 100])?;
    let expected = own.bernoulli(&mut Generator::new(8))?.to_vec::<f32>()?;
    let shared = own.clone();
    own.bernoulli_in_place(&shared, &mut Generator::new(8))?;
    assert_eq!(own.to_vec::<f32>()?, expected);
    let certain = expected.iter().zip(&chances).filter(|(_, chance)| [0.0, 1.0].contains(*chance));
    assert!(certain.clone().count() > 900 && certain.into_iter().all(|(drawn, chance)| drawn == chance));
    Ok(())
}

/// A range with negative numbers has all of them, evenly. 256 each are expected; five standard deviations are 78.
#[test]
fn whole_numbers_are_even_below_zero_too() -> Result {
    let device = Device::open(0)?;
    for dtype in [DType::I32, DType::I8, DType::F32] {
        let drawn = Tensor::randint(&device, [2048], -4..4, dtype, &mut Generator::new(2))?;
        assert_eq!(drawn.dtype(), dtype);
        let drawn = drawn.cast(DType::I64)?.to_vec::<i64>()?;
        for number in -4..4 {
            let count = drawn.iter().filter(|drawn| **drawn == number).count();
            assert!(count.abs_diff(256) < 78, "{dtype}: {number} is drawn {count} times");
        }
    }
    let full =
        Tensor::randint(&device, [2048], -128..128, DType::I8, &mut Generator::new(3))?.to_vec::<i8>()?;
    assert!(full.iter().any(|number| *number < -100) && full.iter().any(|number| *number > 100));
    let mut whole = Tensor::zeros(&device, [512], DType::U8)?;
    whole.random_in_place(.., &mut Generator::new(4))?;
    assert!(whole.to_vec::<u8>()?.iter().max() > Some(&240));
    Ok(())
}

#[test]
fn distributions_have_their_means_and_deviations() -> Result {
    let device = Device::open(0)?;
    let mut generator = Generator::new(5);
    let moments = |tensor: &Tensor| -> Result<(f64, f64)> {
        let values = tensor.cast(DType::F64)?.to_vec::<f64>()?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        Ok((mean, square.sqrt()))
    };
    // Bounds are five standard errors of 4096 numbers.
    for dtype in [DType::F32, DType::F16, DType::F64] {
        let (mean, std) = moments(&Tensor::normal(&device, [64, 64], 3.0, 2.0, dtype, &mut generator)?)?;
        assert!((mean - 3.0).abs() < 0.16 && (std - 2.0).abs() < 0.12, "{dtype}: {mean} {std}");
    }
    let chances = Tensor::full(&device, [4096], 0.25, DType::F32)?;
    if !support::skips_on(&device, Product::Ascend310P, "it has no draws by probabilities") {
        let (mean, _) = moments(&chances.bernoulli(&mut generator)?)?;
        assert!((mean - 0.25).abs() < 0.034, "{mean}");
        let mut coins = Tensor::zeros(&device, [64, 64], DType::I32)?;
        let row = Tensor::from_slice(&device, &[0.0f32; 64], [64])?;
        coins.bernoulli_in_place(&row, &mut generator)?;
        assert_eq!(coins.to_vec::<i32>()?, [0; 4096]);
        coins.bernoulli_in_place(0.5, &mut generator)?;
        let (mean, _) = moments(&coins)?;
        assert!((mean - 0.5).abs() < 0.04, "{mean}");
    }
    let (kept, mask) = chances.dropout(0.25, &mut generator)?;
    let (mean, _) = moments(&kept)?;
    assert!((mean - 0.25).abs() < 0.012, "{mean}");
    let zeros = kept.to_vec::<f32>()?.into_iter().filter(|value| *value == 0.0).count();
    let bits: u32 = mask.to_vec::<u8>()?.into_iter().map(u8::count_zeros).sum();
    assert_eq!(zeros, bits as usize);
    Ok(())
}

#[test]
fn draws_that_are_refused_leave_the_generator_and_the_tensor() -> Result {
    let device = Device::open(0)?;
    let mut generator = Generator::new(6).with_offset(40);
    let before = generator.clone();
    let mut own = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    let ones = Tensor::ones(&device, [3], DType::F32)?;
    let whole = Tensor::ones(&device, [2], DType::I32)?;
    let mask = Tensor::zeros(&device, [15], DType::U8)?;
    let failures = [
        own.uniform_in_place(1.0..0.0, &mut generator).err(),
        own.uniform_in_place(f64::NAN..0.0, &mut generator).err(),
        own.normal_in_place(0.0, -1.0, &mut generator).err(),
        own.random_in_place(3..3, &mut generator).err(),
        own.random_in_place(3.., &mut generator).err(),
        own.bernoulli_in_place(1.5, &mut generator).err(),
        own.dropout(-0.5, &mut generator).err(),
        own.dropout_by(&mask, 0.5).err(),
        own.multinomial(3, false, &mut generator).err(),
        own.rrelu(0.5, 0.25, &mut generator).err(),
        own.multinomial(0, true, &mut generator).err(),
        ops::normal(1.0, 2.0, &mut generator).err(),
        Tensor::normal(&device, [2], 0.0, -1.0, DType::F32, &mut generator).err(),
        Tensor::randint(&device, [2], 0..300, DType::U8, &mut generator).err(),
        Tensor::randint(&device, [2], 5..5, DType::I64, &mut generator).err(),
        Tensor::dropout_mask(&device, [2], f64::NAN, &mut generator).err(),
    ];
    let has_draws = !support::skips_on(&device, Product::Ascend310P, "it has no draws by probabilities");
    for (number, failure) in failures.into_iter().enumerate() {
        if number == 5 && !has_draws {
            assert!(matches!(failure, Some(Error::Unsupported { .. })), "{failure:?}");
            continue;
        }
        assert!(matches!(failure, Some(Error::Argument { .. })), "{number}: {failure:?}");
    }
    if has_draws {
        assert!(matches!(own.bernoulli_in_place(&ones, &mut generator), Err(Error::Broadcast { .. })));
    }
    assert!(matches!(whole.dropout(0.5, &mut generator), Err(Error::Unsupported { .. })));
    assert!(matches!(whole.bernoulli(&mut generator), Err(Error::Unsupported { .. })));
    assert!(matches!(Tensor::rand(&device, [2], DType::C64, &mut generator), Err(Error::Unsupported { .. })));
    let shared = Tensor::zeros(&device, [1], DType::F32)?;
    let mut shared = shared.broadcast_to([4])?;
    assert!(matches!(shared.uniform_in_place(0.0..1.0, &mut generator), Err(Error::SharedElements { .. })));
    assert_eq!(generator, before);
    assert_eq!(own.to_vec::<f32>()?, [1.0, 2.0]);
    Ok(())
}

#[test]
fn nothing_is_drawn_for_tensors_without_elements() -> Result {
    let device = Device::open(0)?;
    let mut generator = Generator::new(7);
    let empty = Tensor::zeros(&device, [0], DType::F32)?;
    let drawn = [
        Tensor::rand(&device, [0, 3], DType::F32, &mut generator)?,
        Tensor::randperm(&device, 0, DType::I32, &mut generator)?,
        ops::normal(1.0, &empty, &mut generator)?,
        empty.dropout(0.5, &mut generator)?.0,
    ];
    assert!(drawn.iter().all(|drawn| drawn.numel() == 0));
    device.synchronize()?;
    Ok(())
}
