//! Every operator of several tensors, with one that lies elsewhere or has too many axes.

use std::collections::{BTreeMap, BTreeSet};

use aclnn::ops::{self, PadMode, RecurrentWeights, Rotation, ScatterReduction};
use aclnn::{DType, Device, Error, Generator, Stream, Tensor};

use super::{Outcome, floats};
use crate::support;

type Call = fn(&Tensor, &Tensor) -> Outcome;

macro_rules! calls {
    ($($name:literal: |$a:ident, $b:ident| $($call:expr),+;)*) => {
        &[$($(($name, |$a: &Tensor, $b: &Tensor| $call.map(drop)),)+)*]
    };
}

fn weights(input: &Tensor, hidden: &Tensor) -> [RecurrentWeights; 1] {
    [RecurrentWeights { input: input.clone(), hidden: hidden.clone(), biases: None }]
}

/// Each operator by its name in errors, with the second tensor in each place but the first. Neither types nor shapes need to
/// suit: where the tensors lie is looked at first.
const CALLS: &[(&str, Call)] = calls! {
    "add": |a, b| a.add(b);
    "add_in_place": |a, b| a.copy()?.add_in_place(b);
    "add_n": |a, b| a.add_n(&[a, b]);
    "adam_w": |a, b| ops::adam_w(&mut a.copy()?, &mut a.copy()?, &mut a.copy()?, b, a).run(),
        ops::adam_w(&mut a.copy()?, &mut a.copy()?, &mut a.copy()?, a, b).run(),
        ops::adam_w(&mut a.copy()?, &mut a.copy()?, &mut b.clone(), a, a).run(),
        ops::adam_w(&mut a.copy()?, &mut a.copy()?, &mut a.copy()?, a, a).amsgrad(&mut b.clone()).run();
    "add_rms_norm": |a, b| ops::add_rms_norm(a, b, a, 1e-5), ops::add_rms_norm(a, a, b, 1e-5);
    "addcdiv": |a, b| a.addcdiv(b, a, 1), a.addcdiv(a, b, 1);
    "addcmul": |a, b| a.addcmul(b, a, 1), a.addcmul(a, b, 1);
    "attention": |a, b| ops::attention(a, b, a).run(), ops::attention(a, a, b).run(),
        ops::attention(a, a, a).mask(b).run();
    "batch_norm": |a, b| ops::batch_norm(a).weight(b).run(), ops::batch_norm(a).bias(b).run();
    "batch_norm": |a, b| ops::batch_norm_inference(a, b, a).run(), ops::batch_norm_inference(a, a, b).run(),
        ops::batch_norm_inference(a, a, a).weight(b).run(), ops::batch_norm_inference(a, a, a).bias(b).run();
    "batch_norm_backward": |a, b| ops::batch_norm_backward(a, b, a, a).run(),
        ops::batch_norm_backward(a, a, b, a).run(), ops::batch_norm_backward(a, a, a, b).run(),
        ops::batch_norm_backward(a, a, a, a).weight(b).run();
    "binary_cross_entropy": |a, b| ops::binary_cross_entropy(a, b).run(),
        ops::binary_cross_entropy(a, a).weight(b).run();
    "binary_cross_entropy_with_logits": |a, b| ops::binary_cross_entropy_with_logits(a, b).run(),
        ops::binary_cross_entropy_with_logits(a, a).weight(b).run(),
        ops::binary_cross_entropy_with_logits(a, a).pos_weight(b).run();
    "bincount": |a, b| a.bincount_weighted(b, 0);
    "bucketize": |a, b| a.bucketize(b);
    "cat": |a, b| Tensor::cat(&[a, a, b], 0);
    "cdist": |a, b| a.cdist(b, 2.0);
    "cdist_backward": |a, b| ops::cdist_backward(a, b, a, a, 2.0), ops::cdist_backward(a, a, b, a, 2.0),
        ops::cdist_backward(a, a, a, b, 2.0);
    "clamp": |a, b| a.clamp(b, 1), a.clamp(0, b);
    "clamp_max": |a, b| a.clamp_max(b);
    "clamp_min": |a, b| a.clamp_min(b);
    "complex": |a, b| a.complex(b);
    "copy_from": |a, b| a.copy()?.copy_from(b);
    "cross": |a, b| a.cross(b, 1);
    "cross_entropy": |a, b| ops::cross_entropy(a, b).run(), ops::cross_entropy(a, a).weight(b).run();
    "ctc_loss": |a, b| ops::ctc_loss(a, b, &[], &[]).run();
    "dot": |a, b| a.dot(b);
    "dropout_backward": |a, b| a.dropout_backward(b, 0.5);
    "dropout_by": |a, b| a.dropout_by(b, 0.5);
    "einsum": |a, b| ops::einsum("ij,ij->ij", &[a, b]);
    "elu_backward": |a, b| a.elu_backward(b, 1);
    "embedding": |a, b| a.embedding(b);
    "embedding_backward": |a, b| ops::embedding_backward(a, b, 3).run();
    "embedding_bag": |a, b| ops::embedding_bag(a, b, a).run(), ops::embedding_bag(a, a, b).run();
    "embedding_renorm_in_place": |a, b| a.copy()?.embedding_renorm_in_place(b, 2.0, 1.0);
    "equal": |a, b| a.equal(b);
    "fake_quantize": |a, b| a.fake_quantize(b, a, 0..=255), a.fake_quantize(a, b, 0..=255);
    "fake_quantize_along": |a, b| a.fake_quantize_along(0, b, a, 0..=255), a.fake_quantize_along(0, a, b, 0..=255);
    "foreach::copy": |a, b| ops::foreach::copy(&mut [&mut a.copy()?], &[b]),
        ops::foreach::copy(&mut [&mut a.copy()?, &mut b.clone()], &[a, a]);
    "foreach::lerp": |a, b| ops::foreach::lerp(&mut [&mut a.copy()?], &[b], 0.5);
    "foreach::lerp_tensors": |a, b| ops::foreach::lerp_tensors(&mut [&mut a.copy()?], &[a], &[b]);
    "foreach::norm": |a, b| ops::foreach::norm(&[a, b], 2);
    "gather": |a, b| a.gather(0, b);
    "gather_nd": |a, b| a.gather_nd(b);
    "geglu_backward": |a, b| ops::geglu(a, 1).backward(b, a), ops::geglu(a, 1).backward(a, b);
    "gelu_erf_backward": |a, b| a.gelu_erf_backward(b);
    "grid_sample": |a, b| ops::grid_sample(a, b).run();
    "group_norm": |a, b| ops::group_norm(a, 1).weight(b).run(), ops::group_norm(a, 1).bias(b).run();
    "group_norm_backward": |a, b| ops::group_norm_backward(a, b, 1, a, a).run(),
        ops::group_norm_backward(a, a, 1, b, a).run(), ops::group_norm_backward(a, a, 1, a, b).run();
    "grouped_matmul": |a, b| ops::grouped_matmul(a, b, a).run(), ops::grouped_matmul(a, a, b).run(),
        ops::grouped_matmul(a, a, a).bias(b).run();
    "gru": |a, b| ops::gru(a, &weights(a, b)).run(), ops::gru(a, &weights(a, a)).initial_hidden(b).run();
    "index": |a, b| a.index(&[None, Some(b)]);
    "index_add": |a, b| a.index_add(0, b, a), a.index_add(0, a, b);
    "index_copy": |a, b| a.index_copy(0, b, a), a.index_copy(0, a, b);
    "index_fill": |a, b| a.index_fill(0, b, 1);
    "index_put": |a, b| a.index_put(&[Some(b)], a), a.index_put(&[Some(a)], b);
    "index_put_in_place": |a, b| a.copy()?.index_put_in_place(&[Some(b)], a), a.copy()?.index_put_in_place(&[Some(a)], b);
    "index_select": |a, b| a.index_select(0, b);
    "is_close": |a, b| a.is_close(b);
    "kl_div": |a, b| ops::kl_div(a, b).run();
    "l1_loss": |a, b| ops::l1_loss(a, b).run();
    "latent_keys": |a, b| ops::latent_keys(a, b, a, a, a).write(&mut a.copy()?, &mut a.copy()?),
        ops::latent_keys(a, a, b, a, a).write(&mut a.copy()?, &mut a.copy()?),
        ops::latent_keys(a, a, a, b, a).write(&mut a.copy()?, &mut a.copy()?),
        ops::latent_keys(a, a, a, a, b).write(&mut a.copy()?, &mut a.copy()?),
        ops::latent_keys(a, a, a, a, a).write(&mut b.clone(), &mut a.copy()?),
        ops::latent_keys(a, a, a, a, a).write(&mut a.copy()?, &mut b.clone());
    "layer_norm": |a, b| ops::layer_norm(a, [3]).weight(b).run(), ops::layer_norm(a, [3]).bias(b).run();
    "layer_norm_backward": |a, b| ops::layer_norm_backward(a, b, [3], a, a).run(),
        ops::layer_norm_backward(a, a, [3], b, a).run(), ops::layer_norm_backward(a, a, [3], a, b).run();
    "lerp": |a, b| a.lerp(b, 0.5), a.lerp(a, b);
    "log_sigmoid_backward": |a, b| a.log_sigmoid_backward(b);
    "log_softmax_backward": |a, b| a.log_softmax_backward(b, 0);
    "lstm": |a, b| ops::lstm(a, &weights(b, a)).run(), ops::lstm(a, &weights(a, b)).run(),
        ops::lstm(a, &weights(a, a)).initial_hidden(b).run(), ops::lstm(a, &weights(a, a)).initial_cell(b).run(),
        ops::lstm(a, &weights(a, a)).batch_sizes(b).run();
    "lstm_cell": |a, b| ops::lstm_cell(a, b, a).run(), ops::lstm_cell(a, a, b).run(),
        ops::lstm_cell(a, a, a).biases(b, a).run(), ops::lstm_cell(a, a, a).biases(a, b).run();
    "lstm_cell_backward": |a, b| ops::lstm_cell_backward(Some(a), None, b, a, a),
        ops::lstm_cell_backward(Some(a), None, a, b, a), ops::lstm_cell_backward(None, Some(a), a, a, b);
    "masked_fill": |a, b| a.masked_fill(b, 1), a.masked_fill(a, b);
    "masked_fill_in_place": |a, b| a.copy()?.masked_fill_in_place(b, 1);
    "masked_scatter": |a, b| a.masked_scatter(b, a), a.masked_scatter(a, b);
    "masked_scatter_in_place": |a, b| a.copy()?.masked_scatter_in_place(b, a), a.copy()?.masked_scatter_in_place(a, b);
    "masked_select": |a, b| a.masked_select(b);
    "matmul": |a, b| a.matmul(b);
    "max_n": |a, b| a.max_n(&[b]);
    "min_n": |a, b| a.min_n(&[b]);
    "mse_loss": |a, b| ops::mse_loss(a, b).run();
    "nll_loss": |a, b| ops::nll_loss(a, b).run(), ops::nll_loss(a, a).weight(b).run();
    "normal": |a, b| ops::normal(a, b, &mut Generator::new(1));
    "outer": |a, b| a.outer(b);
    "pad_backward": |a, b| ops::pad_backward(a, b, &[(1, 1)], PadMode::Reflect);
    "prelu_backward": |a, b| a.prelu_backward(b, a), a.prelu_backward(a, b);
    "put": |a, b| a.put(b, a), a.put(a, b);
    "put_in_place": |a, b| a.copy()?.put_in_place(b, a), a.copy()?.put_in_place(a, b);
    "quant_matmul": |a, b| ops::quant_matmul(a, b, a).run(), ops::quant_matmul(a, a, b).run(),
        ops::quant_matmul(a, a, a).bias(b).run();
    "quantize": |a, b| a.quantize(b, a, 0, DType::I8), a.quantize(a, b, 0, DType::I8);
    "repeat_interleave_each": |a, b| a.repeat_interleave_each(b, 0);
    "rms_norm": |a, b| a.rms_norm(b, 1e-5);
    "rms_norm_backward": |a, b| ops::rms_norm_backward(a, b, a, a), ops::rms_norm_backward(a, a, b, a),
        ops::rms_norm_backward(a, a, a, b);
    "rotary_by_positions": |a, b| ops::rotary_by_positions(a, b, a, a, Rotation::Half),
        ops::rotary_by_positions(a, a, b, a, Rotation::Half), ops::rotary_by_positions(a, a, a, b, Rotation::Half);
    "rotary_embedding": |a, b| a.rotary_embedding(b, a, Rotation::Half), a.rotary_embedding(a, b, Rotation::Half);
    "rotary_embedding_backward": |a, b| ops::rotary_embedding_backward(a, b, a, None, Rotation::Half),
        ops::rotary_embedding_backward(a, a, b, None, Rotation::Half),
        ops::rotary_embedding_backward(a, a, a, Some(b), Rotation::Half);
    "scatter": |a, b| a.scatter(0, b, a), a.scatter(0, a, b);
    "scatter_add": |a, b| a.scatter_add(0, b, a), a.scatter_add(0, a, b);
    "scatter_in_place": |a, b| a.copy()?.scatter_in_place(0, b, a), a.copy()?.scatter_in_place(0, a, b);
    "scatter_nd": |a, b| a.scatter_nd(b, a), a.scatter_nd(a, b);
    "scatter_reduce": |a, b| ops::scatter_reduce(a, 0, b, a, ScatterReduction::Sum).run(),
        ops::scatter_reduce(a, 0, a, b, ScatterReduction::Sum).run();
    "search_sorted": |a, b| a.search_sorted(b), ops::search_sorted(a, a).sorter(b).run();
    "smooth_l1_loss": |a, b| ops::smooth_l1_loss(a, b).run();
    "soft_margin_loss": |a, b| ops::soft_margin_loss(a, b).run();
    "softmax_backward": |a, b| a.softmax_backward(b, 0);
    "softmax_cross_entropy": |a, b| a.softmax_cross_entropy(b);
    "stack": |a, b| Tensor::stack(&[a, b], 0);
    "take": |a, b| a.take(b);
    "take_axis": |a, b| a.take_axis(0, b);
    "triangular_solve": |a, b| ops::triangular_solve(a, b).run();
    "update_scale": |a, b| ops::update_scale(&mut a.copy()?, &mut b.clone(), a, 2.0, 0.5, 1),
        ops::update_scale(&mut a.copy()?, &mut a.copy()?, b, 2.0, 0.5, 1);
    "weight_quant_matmul": |a, b| ops::weight_quant_matmul(a, b, a).run(), ops::weight_quant_matmul(a, a, b).run(),
        ops::weight_quant_matmul(a, a, a).bias(b).run();
    "where_": |a, b| a.where_(b, 1), a.where_(0, b);
};

/// Operators of one tensor, the second one.
const ALONE: &[(&str, Call)] = calls! {
    "square": |_a, b| b.square();
    "neg": |_a, b| b.neg();
    "exp": |_a, b| b.exp();
    "sum": |_a, b| b.sum(..);
    "sum": |_a, b| b.sum([0, 1]);
    "prod": |_a, b| b.prod(1);
    "argmax": |_a, b| b.argmax(0);
    "all": |_a, b| b.all(1);
    "norm": |_a, b| b.norm(2.0, ..);
    "cumsum": |_a, b| b.cumsum(0), b.cumsum(2);
    "cumprod": |_a, b| b.cumprod(0);
    "cummax": |_a, b| b.cummax(1);
    "softmax": |_a, b| b.softmax(0), b.softmax(-1);
    "log_softmax": |_a, b| b.log_softmax(0);
    "sort": |_a, b| b.sort(0), b.sort(3);
    "argsort": |_a, b| b.argsort(0);
    "topk": |_a, b| b.topk(1, 0), b.topk(4, -1);
    "kth_value": |_a, b| b.kth_value(1, 0), b.kth_value(0, 0), b.kth_value(4, -1);
    "median_dim": |_a, b| b.median_dim(0);
    "unique": |_a, b| b.unique();
    "unique_dim": |_a, b| b.unique_dim(0);
    "nonzero": |_a, b| b.nonzero();
    "flip": |_a, b| b.flip(0), b.flip([0, 1]);
    "roll": |_a, b| b.roll(1, 0);
    "repeat": |_a, b| b.repeat(&[2, 2]), b.repeat(&[1, 1, 1, 1, 1, 1, 1, 1, 2]);
    "repeat_interleave": |_a, b| b.repeat_interleave(2, 0);
    "channel_shuffle": |_a, b| b.channel_shuffle(2), b.channel_shuffle(3), b.channel_shuffle(0);
    "pad": |_a, b| b.pad(&[(1, 1)], PadMode::Constant(1.into())), b.pad(&[(1, 2), (0, 1)], PadMode::Reflect),
        b.pad(&[(1, 1); 4], PadMode::Replicate), b.pad(&[], PadMode::Replicate), b.pad(&[(3, 3)], PadMode::Reflect);
    "tril": |_a, b| b.tril(0);
    "triu": |_a, b| b.triu(1);
    "diag": |_a, b| b.diag(0), b.diag(5);
    "diag_flat": |_a, b| b.diag_flat(1);
    "trace": |_a, b| b.trace();
    "inverse": |_a, b| b.inverse();
    "det": |_a, b| b.det();
    "cholesky": |_a, b| b.cholesky(false);
    "qr": |_a, b| b.qr(ops::QrMode::Reduced);
    "svd": |_a, b| b.svd(false);
    "pdist": |_a, b| b.pdist(2.0), b.pdist(-1.0), b.pdist(f64::NAN);
    "renorm": |_a, b| b.renorm(2.0, 0, 1.0), b.renorm(0.0, 0, 1.0), b.renorm(2.0, 0, -1.0);
    "histc": |_a, b| b.histc(3, 0.0, 1.0), b.histc(0, 0.0, 1.0), b.histc(3, 1.0, 0.0), b.histc(3, 0.0, f64::NAN);
    "bincount": |_a, b| b.bincount(0);
    "dropout": |_a, b| b.dropout(0.5, &mut Generator::new(1)), b.dropout(1.5, &mut Generator::new(1)),
        b.dropout(-0.1, &mut Generator::new(1)), b.dropout(f64::NAN, &mut Generator::new(1));
    "rrelu": |_a, b| b.rrelu(0.1, 0.3, &mut Generator::new(1)), b.rrelu(0.3, 0.1, &mut Generator::new(1));
    "bernoulli": |_a, b| b.bernoulli(&mut Generator::new(1));
    "geglu": |_a, b| ops::geglu(b, -1).run();
    "im2col": |_a, b| ops::im2col(b, [2, 2]).run(), ops::im2col(b, [4, 4]).run(), ops::im2col(b, [0, 1]).run();
    "avg_pool2d": |_a, b| ops::avg_pool2d(b, [2, 2]).run(), ops::avg_pool2d(b, [4, 4]).run(), ops::avg_pool2d(b, [0, 1]).run();
    "max_pool2d": |_a, b| ops::max_pool2d(b, [2, 2]).run(), ops::max_pool2d(b, [4, 4]).run();
    "interpolate": |_a, b| ops::interpolate(b, &[2, 2], ops::Interpolation::Nearest), ops::interpolate(b, &[0], ops::Interpolation::Nearest);
    "layer_norm": |_a, b| ops::layer_norm(b, [3]).run(), ops::layer_norm(b, [2]).run(), ops::layer_norm(b, ()).run();
    "group_norm": |_a, b| ops::group_norm(b, 1).run(), ops::group_norm(b, 3).run(), ops::group_norm(b, 0).run();
    "instance_norm": |_a, b| ops::instance_norm(b).run();
    "batch_norm": |_a, b| ops::batch_norm(b).run();
    "cast": |_a, b| b.cast(DType::I8), b.cast(DType::F8E4M3FN), b.cast(DType::I4);
};

/// Calls each operator, and tells which are refused otherwise than by their name and as `is_expected` says. Those that the
/// product lacks are skipped.
fn others(a: &Tensor, b: &Tensor, is_expected: fn(&Error) -> bool) -> Vec<String> {
    let mut missing = BTreeSet::new();
    let calls = CALLS.iter().map(|(name, call)| match call(a, b) {
        result if support::is_missing(a.device(), &result) => {
            missing.insert(*name);
            None
        }
        Err(error) if is_expected(&error) && error.to_string().starts_with(&format!("{name}(")) => None,
        other => Some(format!(
            "{name}: {}",
            other.map_or_else(|error| error.to_string(), |()| "it ran".to_owned())
        )),
    });
    let others = calls.flatten().collect();
    if !missing.is_empty() {
        support::skipped(&format!("the product lacks the operators of {missing:?}"));
        assert!(missing.len() < 5, "{missing:?}");
    }
    others
}

#[test]
fn of_two_devices_by_each_operator() -> Result<(), Box<dyn std::error::Error>> {
    let (test, two) = ("of_two_devices_by_each_operator", [("CANN_STUBS_DEVICES", "2")]);
    if !support::has_two_devices()? || !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    let (a, b) = (floats(&Device::open(0)?)?, floats(&Device::open(1)?)?);
    let others = others(&a, &b, |error| matches!(error, Error::Devices { .. }));
    assert!(others.is_empty(), "{others:#?}");
    Ok(())
}

/// Of which CANN takes eight.
#[test]
fn of_nine_axes_by_each_operator() -> Outcome {
    let device = Device::open(0)?;
    let (a, b) = (floats(&device)?, Tensor::from_slice(&device, &[1.0f32], [1; 9])?);
    let others = others(&a, &b, |error| matches!(error, Error::Rank { rank: 9, .. }));
    assert!(others.is_empty(), "{others:#?}");
    for (name, call) in ALONE {
        let result = call(&a, &b);
        if support::is_missing(&device, &result) {
            continue;
        }
        let error = result.expect_err(name);
        assert!(matches!(error, Error::Rank { rank: 9, .. } | Error::Argument { .. }), "{name}: {error:?}");
    }
    Ok(())
}

/// Whatever types and shapes two tensors have, what does not go together is refused before the library is asked.
#[test]
fn of_any_types_and_shapes_without_a_call_of_the_library() -> Result<(), Box<dyn std::error::Error>> {
    // Zeros divide integers, and may be no indices: work fails, which other tests must not see.
    let test = "of_any_types_and_shapes_without_a_call_of_the_library";
    if !support::is_alone(module_path!(), test, &[[]])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let tensors = |stream: &Stream| -> Result<Vec<Tensor>, Error> {
        let shapes: [&[usize]; 8] = [&[], &[0], &[2], &[3], &[2, 3], &[3, 3], &[2, 3, 3], &[1, 2, 3, 3]];
        let of_each_shape = shapes.iter().flat_map(|shape| [(*shape, DType::F32), (*shape, DType::I64)]);
        let others = [DType::Bool, DType::F16, DType::I32, DType::U8].map(|dtype| (&[2, 3][..], dtype));
        of_each_shape.chain(others).map(|(shape, dtype)| Tensor::zeros(stream, shape, dtype)).collect()
    };
    let mut asked = BTreeMap::new();
    for (calls, alone) in [(CALLS, false), (ALONE, true)] {
        for (name, call) in calls {
            let stream = Stream::new(&device)?;
            let tensors = tensors(&stream)?;
            for (a, b) in tensors.iter().flat_map(|a| tensors.iter().map(move |b| (a, b))) {
                if alone && !std::ptr::eq(a, b) {
                    continue;
                }
                if let Err(error @ (Error::Launch { .. } | Error::Internal { .. })) = call(a, b) {
                    asked.entry(*name).or_insert_with(|| error.to_string());
                }
            }
            drop((tensors, stream));
            while device.synchronize().is_err() {}
        }
    }
    assert!(asked.is_empty(), "{asked:#?}");
    Ok(())
}
