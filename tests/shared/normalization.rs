//! Normalisation and gated linear units through the safe layer: layouts, types and what is refused. What the operators compute
//! is tested with the emulator; expectations here are formulas written out as loops.

use aclnn::{DType, Device, Error, Tensor, ops};

use crate::support;

fn numbers(device: &Device, dims: &[usize], dtype: DType) -> Result<Tensor, Error> {
    let count: usize = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|index| (index * 37 % 23) as f32 / 4.0 - 2.0).collect();
    Tensor::from_slice(device, &values, dims)?.cast(dtype)
}

/// Elements in f32.
fn elements(tensor: &Tensor) -> Result<Vec<f32>, Error> {
    tensor.cast(DType::F32)?.to_vec()
}

/// Each run of elements normalised by its mean and variance.
fn by_hand(x: &[f32], run: usize, eps: f64) -> Vec<f32> {
    let normalized = |x: &[f32]| -> Vec<f32> {
        let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / run as f64;
        let variance = x.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / run as f64;
        x.iter().map(|x| ((f64::from(*x) - mean) / (variance + eps).sqrt()) as f32).collect()
    };
    x.chunks(run).flat_map(normalized).collect()
}

/// Both are the same but for a few units of the last place of a type.
fn near(a: &Tensor, b: &[f32]) -> Result<(), Error> {
    let tolerance = if a.dtype() == DType::F32 { 1e-5 } else { 1e-2 };
    let a = elements(a)?;
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} {b}");
    }
    Ok(())
}

#[test]
fn rows_groups_and_channels_are_normalised_through_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        if dtype == DType::BF16 && !support::has_bf16(&device) {
            continue;
        }
        let x = numbers(&device, &[3, 4, 6], dtype)?;
        let whole = elements(&x)?;
        near(&ops::layer_norm(&x, 6).run()?, &by_hand(&whole, 6, 1e-5))?;
        near(&ops::layer_norm(&x, [4, 6]).run()?, &by_hand(&whole, 24, 1e-5))?;
        near(&ops::group_norm(&x, 2).run()?, &by_hand(&whole, 12, 1e-5))?;
        near(&ops::instance_norm(&x).run()?, &by_hand(&whole, 6, 1e-5))?;
        // The same elements with the axes in another order in memory, and with gaps.
        let turned = x.permute(&[2, 0, 1])?.contiguous()?.permute(&[1, 2, 0])?;
        let gaps = ops::stack(&[&x, &x], -1).run()?.select(-1, 1)?;
        for view in [&turned, &gaps] {
            assert!(!view.is_contiguous());
            assert_eq!(
                elements(&ops::layer_norm(view, 6).run()?)?,
                elements(&ops::layer_norm(&x, 6).run()?)?
            );
            assert_eq!(
                elements(&ops::group_norm(view, 2).run()?)?,
                elements(&ops::group_norm(&x, 2).run()?)?
            );
            assert_eq!(elements(&ops::batch_norm(view).run()?)?, elements(&ops::batch_norm(&x).run()?)?);
            assert_eq!(elements(&view.swiglu(-1)?)?, elements(&x.swiglu(-1)?)?);
        }
        let by_channel = x.permute(&[1, 0, 2])?.contiguous()?;
        let expected = by_hand(&elements(&by_channel)?, 18, 1e-5);
        near(&ops::batch_norm(&x).run()?.permute(&[1, 0, 2])?, &expected)?;
        // A weight of f32 beside halves.
        let weight = Tensor::full(&device, [6], 2, DType::F32)?;
        let doubled: Vec<f32> = by_hand(&whole, 6, 1e-5).iter().map(|x| 2.0 * x).collect();
        near(&ops::layer_norm(&x, 6).weight(&weight).run()?, &doubled)?;
    }
    Ok(())
}

#[test]
fn a_batch_of_volumes_is_normalised_as_one_of_lines() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = numbers(&device, &[2, 3, 2, 2, 2], DType::F32)?;
    let lines = x.reshape([2, 3, 8])?;
    let (y, mean, spread) = ops::batch_norm(&x).run_with_statistics()?;
    assert_eq!(y.dims(), x.dims());
    assert_eq!(y.to_vec::<f32>()?, ops::batch_norm(&lines).run()?.to_vec::<f32>()?);
    let (of_x, of_weight, _) = ops::batch_norm_backward(&x, &x, &mean, &spread).run()?;
    let (of_lines, of_same, _) = ops::batch_norm_backward(&lines, &lines, &mean, &spread).run()?;
    assert_eq!(of_x.dims(), x.dims());
    assert_eq!(of_x.to_vec::<f32>()?, of_lines.to_vec::<f32>()?);
    assert_eq!(of_weight.to_vec::<f32>()?, of_same.to_vec::<f32>()?);
    Ok(())
}

/// Running statistics that take all of a batch normalise it as the batch does, but for the bias of the variance.
#[test]
fn running_statistics_of_one_batch_normalise_it() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = numbers(&device, &[5, 3, 4], DType::F32)?;
    let mut mean = Tensor::full(&device, [3], 9, DType::F32)?;
    let mut variance = Tensor::full(&device, [3], 9, DType::F32)?;
    let (y, ..) = ops::batch_norm(&x).eps(0.0).run_updating(&mut mean, &mut variance, 1.0)?;
    let biased = variance.mul(19.0f32 / 20.0)?;
    near(&ops::batch_norm_inference(&x, &mean, &biased).eps(0.0).run()?, &elements(&y)?)
}

#[test]
fn what_does_not_fit_is_refused_before_a_launch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = numbers(&device, &[2, 4, 6], DType::F32)?;
    let weight = Tensor::ones(&device, [6], DType::F32)?;
    let half = weight.cast(DType::F16)?;
    let whole = x.cast(DType::I32)?;
    let mut mean = Tensor::zeros(&device, [4], DType::F32)?;
    let mut short = Tensor::zeros(&device, [3], DType::F32)?;
    let table = x.reshape([8, 6])?;
    let mut copy = table.copy()?;
    let refused = [
        (ops::layer_norm(&x, 4).run().map(drop), "does not end with"),
        (ops::layer_norm(&whole, 6).run().map(drop), "layer_norm"),
        (ops::layer_norm(&x, 6).weight(&half).run().map(drop), "weight is f16"),
        (ops::layer_norm(&x, 6).weight(&weight).bias(&half).run().map(drop), "bias is f16"),
        (ops::layer_norm(&x, [4, 6]).weight(&weight).run().map(drop), "weight has shape [6]"),
        (ops::group_norm(&x, 3).run().map(drop), "4 channels"),
        (ops::group_norm(&x, 0).run().map(drop), "0 equal groups"),
        (ops::group_norm(&x, 2).eps(0.0).run().map(drop), "positive"),
        (ops::batch_norm(&weight).run().map(drop), "1 axes"),
        (ops::batch_norm(&x).run_updating(&mut mean, &mut short, 0.5).map(drop), "[3]"),
        (ops::batch_norm_inference(&x, &mean, &weight).run().map(drop), "variance has shape [6]"),
        (ops::rms_norm(&x, &half, 1e-6).map(drop), "weight is f16"),
        (ops::add_rms_norm(&x, &table, &weight, 1e-6).map(drop), "other has shape"),
        (ops::layer_norm_backward(&x, &x, 6, &mean, &mean).run().map(drop), "mean has shape [4]"),
        (x.renorm(-1.0, 0, 1.0).map(drop), "negative"),
        (x.renorm(2.0, 0, f64::NAN).map(drop), "negative"),
        (weight.renorm(2.0, 0, 1.0).map(drop), "two"),
        (copy.embedding_renorm_in_place(&weight, 2.0, 1.0), "embedding_renorm_in_place"),
        (x.glu(3).map(drop), "glu"),
        (weight.select(0, 0)?.swiglu(0).map(drop), "no halves"),
        (x.slice(-1, ..5)?.swiglu(-1).map(drop), "not even"),
        (x.glu_backward(&x, -1).map(drop), "shape [2, 4, 3]"),
        (ops::geglu(&x, -1).backward(&x, &x).map(drop), "shape [2, 4, 3]"),
        (x.prelu_backward(&x, &weight).map(drop), "4 channels"),
    ];
    for (result, part) in refused {
        let text = result.expect_err(part).to_string();
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
    assert_eq!(mean.to_vec::<f32>()?, [0.0; 4]);
    Ok(())
}

#[test]
fn nothing_is_normalised_of_empty_tensors() -> Result<(), Error> {
    let device = Device::open(0)?;
    let none = Tensor::zeros(&device, [0, 6], DType::F32)?;
    let weight = Tensor::ones(&device, [6], DType::F32)?;
    let (y, mean, rstd) = ops::layer_norm(&none, 6).weight(&weight).run_with_statistics()?;
    assert_eq!((y.dims(), mean.dims()), (&[0, 6][..], &[0, 1][..]));
    let (_, of_weight, of_bias) = ops::layer_norm_backward(&none, &none, 6, &mean, &rstd).run()?;
    assert_eq!((of_weight.to_vec::<f32>()?, of_bias.to_vec::<f32>()?), (vec![0.0; 6], vec![0.0; 6]));
    let (y, inverses) = ops::rms_norm(&none, &weight, 1e-6)?;
    assert_eq!(y.dims(), [0, 6]);
    let (_, of_weight) = ops::rms_norm_backward(&none, &none, &inverses, &weight)?;
    assert_eq!(of_weight.to_vec::<f32>()?, [0.0; 6]);
    assert_eq!(none.swiglu(-1)?.dims(), [0, 3]);
    let (of_x, of_weight) = none.prelu_backward(&none, &weight)?;
    assert_eq!((of_x.dims(), of_weight.to_vec::<f32>()?), (&[0, 6][..], vec![0.0; 6]));
    Ok(())
}
