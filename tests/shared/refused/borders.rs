//! Arguments at the border of what is taken and computed, each beside one a step beyond it, which is refused with a reason.

use aclnn::ops::{self, LossReduction};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Generator, Tensor};

use super::{Outcome, says};
use crate::support;

/// Each line has calls at the border, one beyond it, and what its error says.
macro_rules! borders {
    ($($taken:expr, $refused:expr => $words:expr;)*) => {$(
        for taken in $taken {
            taken?;
        }
        let error = says($refused, &$words);
        assert!(matches!(error, Error::Argument { .. } | Error::Unsupported { .. }), "{error}");
    )*};
}

fn ones(device: &Device, shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
    Tensor::ones(device, shape, dtype)
}

#[test]
fn losses_of_sequences() -> Outcome {
    let device = Device::open(0)?;
    let x = Tensor::full(&device, [4, 2, 3], -1.0, DType::F32)?;
    let rows = Tensor::ones(&device, [2, 3], DType::I64)?;
    let all = Tensor::ones(&device, [3], DType::I64)?;
    let loss = |lengths: &[i64], target_lengths: &[i64], blank| {
        ops::ctc_loss(&x, &rows, lengths, target_lengths).blank(blank).run()
    };
    borders! {
        [loss(&[4, 0], &[1, 0], 0)],
            loss(&[5, 0], &[1, 0], 0) => ["ctc_loss", "lengths must be from 0 to the 4 steps"];
        [loss(&[0, 4], &[0, 3], 0)],
            loss(&[-1, 4], &[0, 3], 0) => ["ctc_loss", "lengths must be from 0 to the 4 steps"];
        [loss(&[4, 4], &[3, 0], 0)],
            loss(&[4, 4], &[4, 0], 0) => ["ctc_loss", "target lengths must be from 0 to 3"];
        [loss(&[4, 4], &[0, 0], 0)],
            loss(&[4, 4], &[0, -1], 0) => ["ctc_loss", "target lengths must be from 0 to 3"];
        [loss(&[4, 4], &[1, 1], 2)],
            loss(&[4, 4], &[1, 1], 3) => ["ctc_loss", "blank is 3, but there are 3 classes"];
        [loss(&[4, 4], &[1, 1], 0)], loss(&[4, 4], &[1, 1], -1) => ["ctc_loss", "blank is -1"];
        [loss(&[4, 4], &[1, 1], 0)],
            loss(&[4], &[1, 1], 0) => ["there are 1 lengths and 2 target lengths for 2 sequences"];
        [loss(&[4, 4], &[1, 1], 0)],
            loss(&[4, 4], &[1, 1, 1], 0) => ["there are 2 lengths and 3 target lengths"];
        [ops::ctc_loss(&x, &all, &[4, 4], &[1, 2]).run()],
            ops::ctc_loss(&x, &all, &[4, 4], &[1, 1]).run()
                    => ["target has shape [3]", "all labels one after the other"];
        [ops::ctc_loss(&x, &rows, &[4, 4], &[1, 2]).run()],
            ops::ctc_loss(&x, &ones(&device, &[3, 3], DType::I64)?, &[4, 4], &[1, 2]).run()
                    => ["target has shape [3, 3]"];
        [ops::ctc_loss(&x, &rows.cast(DType::I32)?, &[4, 4], &[1, 2]).run()],
            ops::ctc_loss(&x, &rows.cast(DType::I16)?, &[4, 4], &[1, 2]).run()
                    => ["target is i16, but must be i32 or i64"];
    }
    let forward = ops::ctc_loss(&x, &rows, &[4, 4], &[1, 1]);
    let (each, log_alpha) = forward.run()?;
    let longer = ones(&device, &[3], DType::F32)?;
    borders! {
        [forward.backward(&each, &each, &log_alpha)],
            forward.backward(&longer, &each, &log_alpha) => ["ctc_loss_backward", "grad"];
        [forward.backward(&each, &each, &log_alpha)],
            forward.backward(&each, &longer, &log_alpha) => ["ctc_loss_backward", "loss"];
        [forward.backward(&each, &each, &log_alpha)],
            forward.backward(&each, &each, &log_alpha.slice(2, 1..)?) => ["ctc_loss_backward", "log_alpha"];
    }
    device.synchronize()
}

#[test]
fn losses_of_classes() -> Outcome {
    let device = Device::open(0)?;
    let x = ones(&device, &[2, 3], DType::F32)?;
    let labels = ones(&device, &[2], DType::I64)?;
    let entropy = || ops::cross_entropy(&x, &labels);
    let of = |shape: &[usize], target: &[usize]| {
        let labels = Tensor::zeros(&device, target, DType::I64)?;
        ops::nll_loss(&ones(&device, shape, DType::F32)?, &labels).run()
    };
    let margin = |shape: &[usize], target: &[usize], dtype| {
        let target = ones(&device, target, dtype)?;
        ones(&device, shape, DType::F32)?
            .multilabel_margin_loss(&target, LossReduction::Mean)
            .map(|(loss, _)| loss)
    };
    if !support::skips_on(&device, Product::Ascend310P, "it has no cross entropy of classes") {
        borders! {
            [entropy().label_smoothing(0.0).run(), entropy().label_smoothing(1.0).run()],
                entropy().label_smoothing(1.0 + f64::EPSILON).run()
                        => ["cross_entropy", "label_smoothing is 1.0000000000000002"];
            [entropy().label_smoothing(-0.0).run()],
                entropy().label_smoothing(-f64::MIN_POSITIVE).run() => ["cross_entropy", "must be from 0 to 1"];
            [entropy().weight(&ones(&device, &[3], DType::F32)?).run()],
                entropy().weight(&ones(&device, &[4], DType::F32)?).run() => ["cross_entropy", "weight"];
            [entropy().run()],
                ops::cross_entropy(&x, &ones(&device, &[3], DType::I64)?).run() => ["cross_entropy", "target"];
            [ops::cross_entropy(&ones(&device, &[2, 1], DType::F32)?, &labels.zeros_like()?).run()],
                ops::cross_entropy(&ones(&device, &[2, 0], DType::F32)?, &labels).run()
                        => ["cross_entropy", "there are no classes"];
        }
    }
    borders! {
        [of(&[3], &[])], of(&[3], &[1]) => ["nll_loss", "target"];
        [of(&[2, 3], &[2])], of(&[2, 3], &[3]) => ["nll_loss", "target"];
        [of(&[2, 3, 4, 5], &[2, 4, 5])], of(&[2, 3, 4, 5], &[2, 5, 4]) => ["nll_loss", "target"];
        [of(&[2, 1], &[2])], of(&[2, 0], &[2]) => ["nll_loss", "there are no classes"];
        [of(&[2, 3, 1, 1], &[2, 1, 1])],
            of(&[2, 3, 1], &[2, 1]) => ["nll_loss", "self has 3 axes, but must have 1, 2 or 4"];
        [margin(&[2, 3], &[2, 3], DType::I64), margin(&[3], &[3], DType::I32)],
            margin(&[2, 3], &[2, 3], DType::I16) => ["multilabel_margin_loss", "target is i16"];
        [margin(&[2, 3], &[2, 3], DType::I64)],
            margin(&[1, 2, 3], &[1, 2, 3], DType::I64)
                    => ["multilabel_margin_loss", "self has 3 axes, but must have 1 or 2"];
        [margin(&[2, 3], &[2, 3], DType::I64)],
            margin(&[2, 3], &[2, 4], DType::I64) => ["multilabel_margin_loss", "target"];
    }
    device.synchronize()
}

#[test]
fn distances_and_masks() -> Outcome {
    let device = Device::open(0)?;
    let rows = ones(&device, &[3, 2], DType::F32)?;
    let of_exponent = |p| rows.cdist(&rows, p);
    let mask = |p| Tensor::dropout_mask(&device, [2], p, &mut Generator::new(0));
    // A mask has a bit for each element, in multiples of 16 bytes.
    let kept = |elements: usize, bytes: usize| {
        ones(&device, &[elements], DType::F32)?.dropout_by(&ones(&device, &[bytes], DType::U8)?, 0.5)
    };
    if !support::skips_on(&device, Product::Ascend310P, "it has no distances of two lists of rows") {
        borders! {
            [of_exponent(0.0), of_exponent(-0.0), of_exponent(f64::INFINITY)],
                of_exponent(-f64::MIN_POSITIVE) => ["cdist", "must not be negative or NaN"];
            [rows.cdist(&ones(&device, &[5, 2], DType::F32)?, 2.0)],
                rows.cdist(&ones(&device, &[5, 3], DType::F32)?, 2.0)
                        => ["cdist", "rows of self have 2 elements and those of other 3"];
        }
    }
    borders! {
        [rows.pdist(2.0)], rows.unsqueeze(0)?.pdist(2.0) => ["pdist", "self has 3 axes, but must have two"];
        [mask(0.0), mask(1.0)], mask(1.0 + f64::EPSILON) => ["dropout_mask", "must be from 0 to 1"];
        [mask(-0.0)], mask(-f64::MIN_POSITIVE) => ["dropout_mask", "must be from 0 to 1"];
        [kept(128, 16)], kept(129, 16) => ["dropout_by", "the mask must have 32 elements of u8"];
        [kept(129, 32)], kept(128, 32) => ["dropout_by", "the mask must have 16 elements of u8"];
    }
    device.synchronize()
}

#[test]
fn images_that_are_unpooled() -> Outcome {
    let device = Device::open(0)?;
    let unpooled = |shape: &[usize], indices: DType, size: [usize; 2]| {
        let image = Tensor::zeros(&device, shape, DType::F32)?;
        ops::max_unpool2d(&image, &Tensor::zeros(&device, shape, indices)?, size)
    };
    borders! {
        [unpooled(&[1, 2, 2], DType::I64, [1, 1]), unpooled(&[1, 1, 2, 2], DType::I32, [1, 1])],
            unpooled(&[2, 2], DType::I64, [1, 1]) => ["max_unpool2d"];
        [unpooled(&[1, 1, 2, 2], DType::I64, [1, 1])],
            unpooled(&[1, 1, 1, 2, 2], DType::I64, [1, 1]) => ["max_unpool2d"];
        [unpooled(&[1, 1, 2, 2], DType::I64, [1, 1])],
            unpooled(&[1, 1, 2, 2], DType::I16, [1, 1]) => ["max_unpool2d", "indices must be"];
        [unpooled(&[0, 1, 2, 2], DType::I64, [1, 1])],
            unpooled(&[1, 0, 2, 2], DType::I64, [1, 1]) => ["max_unpool2d", "none of them empty"];
        [unpooled(&[1, 1, 2, 2], DType::I64, [4, 1])],
            unpooled(&[1, 1, 2, 0], DType::I64, [4, 1]) => ["max_unpool2d", "none of them empty"];
    }
    device.synchronize()
}

#[test]
fn products_of_quantised_matrices() -> Outcome {
    let device = Device::open(0)?;
    let (x, weight) = (ones(&device, &[2, 64], DType::F16)?, ones(&device, &[64, 3], DType::I8)?);
    let (bytes, scale) = (ones(&device, &[2, 64], DType::I8)?, ones(&device, &[3], DType::F32)?);
    let by_weight = |scale: &[usize], offset: &[usize], bias: &[usize]| {
        let [scale, offset, bias] = [scale, offset, bias].map(|shape| ones(&device, shape, DType::F16));
        ops::weight_quant_matmul(&x, &weight, &scale?).offset(&offset?).bias(&bias?).run()
    };
    let halves = support::halves(&device);
    let of_bytes = |scale: &[usize], rows: &[usize], bias: &[usize]| {
        let [scale, rows, bias] = [scale, rows, bias].map(|shape| ones(&device, shape, DType::F32));
        ops::quant_matmul(&bytes, &weight, &scale?).row_scale(&rows?).bias(&bias?).dtype(halves).run()
    };
    let to_bytes = |offset: &[usize]| {
        let offset = ones(&device, offset, DType::F32)?;
        ops::quant_matmul(&bytes, &weight, &scale.cast(DType::U64)?).offset(&offset).dtype(DType::I8).run()
    };
    borders! {
        [by_weight(&[1], &[1], &[3]), by_weight(&[3], &[3], &[3])],
            by_weight(&[2], &[2], &[3]) => ["weight_quant_matmul", "scale has 2 numbers"];
        [by_weight(&[3], &[3], &[3])], by_weight(&[3], &[1], &[3]) => ["weight_quant_matmul", "offset has 1 numbers"];
        [by_weight(&[3], &[3], &[3])], by_weight(&[3], &[3], &[4]) => ["weight_quant_matmul", "bias has 4 numbers"];
        [by_weight(&[3], &[3], &[3])],
            ops::weight_quant_matmul(&x, &weight.slice(0, 1..)?, &scale).run()
                    => ["weight_quant_matmul", "as many columns as the weight has rows, 63"];
        [by_weight(&[3], &[3], &[3])],
            ops::weight_quant_matmul(&x, &weight.unsqueeze(0)?, &scale).run() => ["weight_quant_matmul", "weight has 3 axes"];
        [by_weight(&[3], &[3], &[3])],
            ops::weight_quant_matmul(&x, &weight.cast(DType::U8)?, &scale).run()
                    => ["weight_quant_matmul", "weight must be i8, i4 or i32, and not u8"];
        [of_bytes(&[1], &[2], &[3]), of_bytes(&[3], &[2], &[3])],
            of_bytes(&[2], &[2], &[3]) => ["quant_matmul", "scale has 2 numbers"];
        [of_bytes(&[3], &[2], &[3])], of_bytes(&[3], &[3], &[3]) => ["quant_matmul", "row_scale has 3 numbers"];
        [of_bytes(&[3], &[2], &[3])], of_bytes(&[3], &[2], &[2]) => ["quant_matmul", "bias has 2 numbers"];
        [to_bytes(&[1]), to_bytes(&[3])], to_bytes(&[4]) => ["quant_matmul", "offset has 4 numbers"];
    }
    device.synchronize()
}

#[test]
fn groups_of_rows_that_are_multiplied() -> Outcome {
    let device = Device::open(0)?;
    let multiplied = support::multiplied(&device);
    let (x, experts) = (ones(&device, &[5, 3], multiplied)?, ones(&device, &[2, 3, 2], multiplied)?);
    let ends = |ends: &[i64]| Tensor::from_slice(&device, ends, [ends.len()]);
    let product = |ends: &Tensor| ops::grouped_matmul(&x, &experts, ends).run();
    let with_bias = |shape: &[usize]| {
        ops::grouped_matmul(&x, &experts, &ends(&[1, 5])?).bias(&ones(&device, shape, multiplied)?).run()
    };
    borders! {
        [product(&ends(&[0, 0])?), product(&ends(&[0, 5])?), product(&ends(&[5, 5])?)],
            product(&ends(&[5])?) => ["grouped_matmul", "weight has 2 matrices and ends 1"];
        [product(&ends(&[2, 4])?)], product(&ends(&[2, 4])?.cast(DType::I32)?) => ["grouped_matmul", "ends must be i64"];
        [product(&ends(&[2, 4])?)], product(&ends(&[2, 4])?.unsqueeze(0)?) => ["grouped_matmul", "ends has 2 axes"];
        [with_bias(&[2, 2])], with_bias(&[1, 2]) => ["grouped_matmul", "bias has 2 numbers"];
        [product(&ends(&[2, 4])?)],
            ops::grouped_matmul(&x.slice(1, 1..)?, &experts, &ends(&[2, 4])?).run()
                    => ["grouped_matmul", "as many columns as the weight has rows, 3"];
    }
    device.synchronize()
}

#[test]
fn numbers_that_are_quantised() -> Outcome {
    let device = Device::open(0)?;
    let x = ones(&device, &[2, 3], DType::F32)?;
    let along = |scales: usize, zeros: usize, axis: i64| {
        let (scales, zeros) = (ones(&device, &[scales], DType::F32)?, ones(&device, &[zeros], DType::I32)?);
        x.quantize(&scales, &zeros, axis, DType::I8)
    };
    let (scale, zero) = (ones(&device, &[1], DType::F32)?, ones(&device, &[1], DType::I32)?);
    let within = |range| x.fake_quantize(&scale, &zero, range).map(|(values, _)| values);
    borders! {
        [along(1, 1, 0), along(2, 2, 0), along(3, 3, 1), along(3, 3, -1)],
            along(3, 3, 0) => ["quantize", "scales"];
        [along(2, 2, 0)], along(2, 1, 0) => ["quantize", "zero_points"];
        [x.quantize(&scale, &zero, 0, DType::I32)],
            x.quantize(&scale, &zero, 0, DType::I16) => ["quantize", "the result is i8, u8 or i32, not i16"];
        [within(0..=0), within(-8..=7)], within(std::ops::RangeInclusive::new(1, 0)) => ["fake_quantize", "has no numbers"];
    }
    device.synchronize()
}
