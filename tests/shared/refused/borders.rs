//! Arguments at the border of what is taken and computed, each beside one a step beyond it, which is refused with a reason.

use aclnn::ops::{self, LossReduction};

use aclnn::{DType, Device, Error, Generator, Tensor};

use super::{Outcome, says};

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
    borders! {
        [of_exponent(0.0), of_exponent(-0.0), of_exponent(f64::INFINITY)],
            of_exponent(-f64::MIN_POSITIVE) => ["cdist", "must not be negative or NaN"];
        [rows.cdist(&ones(&device, &[5, 2], DType::F32)?, 2.0)],
            rows.cdist(&ones(&device, &[5, 3], DType::F32)?, 2.0)
                    => ["cdist", "rows of self have 2 elements and those of other 3"];
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
