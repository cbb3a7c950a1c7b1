//! Lists of tensors and optimizer steps through the safe layer: what changes, and what is refused. What operators compute of
//! each element is tested with the emulator; steps have the numbers of PyTorch.

use aclnn::ops::{self, foreach};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Scalar, Tensor, f16};

use crate::support;

/// A weight and a bias.
fn params(device: &Device) -> Result<[Tensor; 2], Error> {
    Ok([
        Tensor::from_slice(device, &[1.0f32, -2.0, 0.5], [3])?,
        Tensor::from_slice(device, &[0.25f32, -4.0], [2, 1])?,
    ])
}

fn gradients(device: &Device, factor: f32) -> Result<[Tensor; 2], Error> {
    let weight = [0.1, -0.2, 3.0].map(|value: f32| value * factor);
    let bias = [1.0, 0.01].map(|value: f32| value * factor);
    Ok([Tensor::from_slice(device, &weight, [3])?, Tensor::from_slice(device, &bias, [2, 1])?])
}

fn near(tensors: &[Tensor; 2], expected: [&[f32]; 2]) -> Result<(), Error> {
    for (tensor, expected) in tensors.iter().zip(expected) {
        for (value, expected) in tensor.to_vec::<f32>()?.iter().zip(expected) {
            assert!((value - expected).abs() <= 1e-6, "{value} {expected}");
        }
    }
    Ok(())
}

/// PyTorch's: three steps with the gradients times 1, 2 and 3, of `SGD(lr=0.1, momentum=0.9)`, `Adam(lr=0.1)` and
/// `AdamW(lr=0.1, weight_decay=0.01)`.
const SGD: [&[f32]; 2] = [&[0.9049, -1.8098, -2.353], &[-0.701, -4.00951]];
const ADAM: [&[f32]; 2] = [&[0.70768166, -1.7076817, 0.20768169], &[-0.042318307, -4.292318]];
const ADAM_W: [&[f32]; 2] = [&[0.7049811, -1.7019842, 0.20647961], &[-0.04277111, -4.280033]];

#[test]
fn steps_of_gradient_descent_have_the_numbers_of_pytorch() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no operators of lists") {
        return Ok(());
    }
    let [mut weight, mut bias] = params(&device)?;
    let [mut first, mut second] = [weight.zeros_like()?, bias.zeros_like()?];
    for step in 1..=3 {
        let grads = gradients(&device, step as f32)?;
        let buffers = &mut [&mut first, &mut second];
        foreach::mul_scalar(buffers, 0.9)?;
        foreach::add(buffers, &[&grads[0], &grads[1]], 1)?;
        foreach::add(&mut [&mut weight, &mut bias], &[&first, &second], -0.1)?;
    }
    near(&[weight, bias], SGD)
}

#[test]
fn steps_of_adam_have_the_numbers_of_pytorch() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no operators of lists") {
        return Ok(());
    }
    let [mut weight, mut bias] = params(&device)?;
    let [mut m, mut n] = [weight.zeros_like()?, bias.zeros_like()?];
    let [mut v, mut w] = [weight.zeros_like()?, bias.zeros_like()?];
    for step in 1..=3 {
        let grads = gradients(&device, step as f32)?;
        let grads = &[&grads[0], &grads[1]];
        foreach::lerp(&mut [&mut m, &mut n], grads, 0.1)?;
        foreach::mul_scalar(&mut [&mut v, &mut w], 0.999)?;
        foreach::addcmul(&mut [&mut v, &mut w], grads, grads, 0.001)?;
        let [mut a, mut b] = [v.copy()?, w.copy()?];
        let roots = &mut [&mut a, &mut b];
        foreach::sqrt(roots)?;
        let left = Scalar::from((1.0 - 0.999f64.powi(step)).sqrt());
        foreach::div_scalars(roots, &[left, left])?;
        foreach::add_scalar(roots, 1e-8)?;
        let rate = -0.1 / (1.0 - 0.9f64.powi(step));
        foreach::addcdiv(&mut [&mut weight, &mut bias], &[&m, &n], &[&a, &b], rate)?;
    }
    near(&[weight, bias], ADAM)
}

#[test]
fn fused_steps_of_adam_have_the_numbers_of_pytorch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let mut params = params(&device)?;
    for amsgrad in [false, true] {
        let mut moments = params.each_ref().map(|param| [(); 3].map(|()| param.zeros_like()));
        let mut own = self::params(&device)?;
        for step in 0..3 {
            let grads = gradients(&device, (step + 1) as f32)?;
            let steps = Tensor::from_slice(&device, &[i64::from(step)], [1])?;
            for ((param, grad), moments) in own.iter_mut().zip(&grads).zip(&mut moments) {
                let [Ok(first), Ok(second), Ok(greatest)] = moments else { panic!("{moments:?}") };
                let step = ops::adam_w(param, first, second, grad, &steps).lr(0.1);
                // Gradients grow, so that the last second moment is the greatest.
                if amsgrad { step.amsgrad(greatest).run()? } else { step.run()? }
            }
        }
        params = own;
        near(&params, ADAM_W)?;
    }
    Ok(())
}

#[test]
fn functions_change_every_tensor_of_a_list() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no operators of lists") {
        return Ok(());
    }
    let of = |values: &[f32]| Tensor::from_slice(&device, values, [values.len()]);
    let (mut a, mut b) = (of(&[1.0, 4.0])?, of(&[-2.5])?);
    let values = |a: &Tensor, b: &Tensor| Ok::<_, Error>((a.to_vec::<f32>()?, b.to_vec::<f32>()?));
    foreach::abs(&mut [&mut a, &mut b])?;
    assert_eq!(values(&a, &b)?, (vec![1.0, 4.0], vec![2.5]));
    foreach::floor(&mut [&mut a, &mut b])?;
    foreach::pow_scalar(&mut [&mut a, &mut b], 2)?;
    assert_eq!(values(&a, &b)?, (vec![1.0, 16.0], vec![4.0]));
    foreach::maximum_scalars(&mut [&mut a, &mut b], &[2.into(), 5.into()])?;
    assert_eq!(values(&a, &b)?, (vec![2.0, 16.0], vec![5.0]));
    let (c, d) = (of(&[1.0, 8.0])?, of(&[10.0])?);
    foreach::div(&mut [&mut a, &mut b], &[&c, &d])?;
    assert_eq!(values(&a, &b)?, (vec![2.0, 2.0], vec![0.5]));
    foreach::sub(&mut [&mut a, &mut b], &[&c, &d], 0.5)?;
    assert_eq!(values(&a, &b)?, (vec![1.5, -2.0], vec![-4.5]));
    foreach::lerp_tensors(&mut [&mut a, &mut b], &[&c, &d], &[&c, &c.slice(0, ..1)?])?;
    assert_eq!(values(&a, &b)?, (vec![1.0, 78.0], vec![10.0]));
    let norms = foreach::norm(&[&a, &b], 1)?;
    assert_eq!(values(&norms[0], &norms[1])?, (vec![79.0], vec![10.0]));
    foreach::copy(&mut [&mut a, &mut b], &[&c, &d])?;
    assert_eq!(values(&a, &b)?, (vec![1.0, 8.0], vec![10.0]));
    foreach::zero(&mut [&mut a, &mut b])?;
    assert_eq!(values(&a, &b)?, (vec![0.0, 0.0], vec![0.0]));
    // Every element of f16 and i32, and lists of none.
    let mut halves = Tensor::from_slice(&device, &[f16::ONE; 3], [3])?;
    foreach::add_scalar(&mut [&mut halves], 0.5)?;
    assert_eq!(halves.cast(DType::F32)?.to_vec::<f32>()?, [1.5; 3]);
    let mut ints = Tensor::from_slice(&device, &[7, -7], [2])?;
    foreach::mul_scalar(&mut [&mut ints], 3)?;
    assert_eq!(ints.to_vec::<i32>()?, [21, -21]);
    foreach::exp(&mut [])?;
    foreach::add(&mut [], &[], 1)?;
    assert!(foreach::norm(&[], 2)?.is_empty());
    Ok(())
}

#[test]
fn gradients_that_are_not_finite_are_found_in_lists_of_any_length() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no operators of lists") {
        return Ok(());
    }
    let mut many: Vec<Tensor> =
        (0..600).map(|_| Tensor::from_slice(&device, &[4.0f32], [1])).collect::<Result<_, _>>()?;
    let (mut found, half) =
        (Tensor::zeros(&device, 1, DType::F32)?, Tensor::full(&device, 1, 0.5, DType::F32)?);
    foreach::unscale(&mut many.iter_mut().collect::<Vec<_>>(), &mut found, &half)?;
    assert_eq!((found.item::<f32>()?, many[599].item::<f32>()?), (0.0, 2.0));
    many[300].fill_in_place(f32::INFINITY)?;
    foreach::unscale(&mut many.iter_mut().collect::<Vec<_>>(), &mut found, &half)?;
    assert_eq!((found.item::<f32>()?, many[599].item::<f32>()?), (1.0, 1.0));
    Ok(())
}

/// The scales of PyTorch's `GradScaler(init_scale=1024, growth_interval=2)` where the fourth of six steps is not finite.
#[test]
fn scales_of_a_loss_are_those_of_pytorch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let mut scale = Tensor::full(&device, 1, 1024, DType::F32)?;
    let mut tracker = Tensor::zeros(&device, 1, DType::I32)?;
    let mut scales = Vec::new();
    for step in 0..6 {
        let found = Tensor::full(&device, 1, f32::from(u8::from(step == 3)), DType::F32)?;
        ops::update_scale(&mut scale, &mut tracker, &found, 2.0, 0.5, 2)?;
        scales.push(scale.item::<f32>()?);
    }
    assert_eq!(scales, [1024.0, 2048.0, 2048.0, 1024.0, 1024.0, 2048.0]);
    let found = scale.zeros_like()?;
    let refused = ops::update_scale(&mut scale, &mut found.copy()?, &found, 2.0, 0.5, 2);
    assert!(refused.expect_err("a tracker of f32").to_string().contains("tracker must be i32"));
    let same = scale.clone();
    let refused = ops::update_scale(&mut scale, &mut tracker, &same, 2.0, 0.5, 2);
    assert!(refused.expect_err("one tensor").to_string().contains("share memory"));
    Ok(())
}

#[test]
fn lists_that_do_not_fit_are_refused_and_nothing_changes() -> Result<(), Error> {
    let device = Device::open(0)?;
    let of = |count: usize| Tensor::ones(&device, count, DType::F32);
    let (mut a, mut b, c) = (of(2)?, of(3)?, of(2)?);
    let mut ints = Tensor::ones(&device, 2, DType::I32)?;
    let mut shared = a.clone();
    let other = a.clone();
    let of_lists = [
        (foreach::mul(&mut [&mut a, &mut b], &[&c]), "the lists have 2 and 1 tensors"),
        (foreach::mul(&mut [&mut a, &mut b], &[&c, &c]), "the tensors at 1 of the lists must have one shape"),
        (foreach::exp(&mut [&mut a, &mut ints]), "ForeachExp does not take i32"),
        (foreach::neg(&mut [&mut a, &mut ints]), "are not all f32"),
        (foreach::add_scalar(&mut [&mut ints], 0.5), "no number beside tensors of i32"),
        (foreach::add_scalars(&mut [&mut a], &[]), "there are 0 numbers for 1 tensors"),
        (foreach::exp(&mut [&mut a, &mut shared]), "the tensors at 0 and 1 share memory"),
        (foreach::mul(&mut [&mut shared, &mut of(2)?], &[&c, &other]), "the tensors at 0 and 1 share memory"),
        (foreach::norm(&[&c], 3).map(drop), "the order is 3"),
        (foreach::unscale(&mut [&mut a], &mut b, &c), "must be one element of f32"),
    ];
    let of_steps = [
        (ops::adam_w(&mut a, &mut shared, &mut b, &c, &c).run(), "must have one shape"),
        (
            ops::adam_w(&mut a, &mut shared, &mut of(2)?, &c, &of(1)?).run(),
            "param shares memory with another tensor",
        ),
        (ops::adam_w(&mut a, &mut of(2)?, &mut of(2)?, &c, &c).run(), "steps must be one element"),
    ];
    let has_lists = !support::skips_on(&device, Product::Ascend310P, "it has no operators of lists");
    let of_lists = of_lists.into_iter().filter(|_| has_lists);
    for (result, reason) in of_lists.chain(of_steps) {
        let error = result.expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!(a.to_vec::<f32>()?, [1.0; 2]);
    // An element that is read where it is written is no conflict.
    if has_lists {
        foreach::mul(&mut [&mut a], &[&other])?;
    }
    Ok(())
}
