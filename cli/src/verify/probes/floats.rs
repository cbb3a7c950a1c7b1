//! Floats: what is not a number, orders of summation, roundings in between.

use std::ffi::c_void;

use aclnn::DType::{self, F32, F64, I64};
use aclnn::sys::aclTensor;
use aclnn::{Tensor, ops};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Owned, Planned, Setting, plan};

pub(super) const PROBES: &[Probe] = &[
    Probe::new("nan-in-clamp", "What does Clamp make of what is not a number?", NAN, |setting| {
        let (low, high) = (setting.scalar(0_f32)?, setting.scalar(1_f32)?);
        of_nan(setting, |own, _, out| Ok(plan!(setting, Clamp(own, low.handle, high.handle, out))))
    }),
    Probe::new("nan-in-hardtanh", "What does Hardtanh make of what is not a number?", NAN, |setting| {
        let (low, high) = (setting.scalar(0_f32)?, setting.scalar(1_f32)?);
        of_nan(setting, |own, _, out| Ok(plan!(setting, Hardtanh(own, low.handle, high.handle, out))))
    }),
    Probe::new("nan-in-relu", "What does Relu make of what is not a number?", NAN, |setting| {
        of_nan(setting, |own, _, out| Ok(plan!(setting, Relu(own, out))))
    }),
    Probe::new("nan-in-threshold", "What does Threshold make of what is not a number?", NAN, |setting| {
        let (threshold, value) = (setting.scalar(0_f32)?, setting.scalar(7_f32)?);
        of_nan(setting, |own, _, out| Ok(plan!(setting, Threshold(own, threshold.handle, value.handle, out))))
    }),
    Probe::new("nan-in-maximum", "What does Maximum make of what is not a number?", NAN, |setting| {
        of_nan(setting, |own, ones, out| Ok(plan!(setting, Maximum(own, ones, out))))
    }),
    Probe::new("nan-in-minimum", "What does Minimum make of what is not a number?", NAN, |setting| {
        of_nan(setting, |own, ones, out| Ok(plan!(setting, Minimum(own, ones, out))))
    }),
    Probe::new(
        "nan-in-sign",
        "What does Sign make of what is not a number?",
        "0, as on the 950.",
        |setting| {
            let found = computed(setting, &[f32::NAN; 3], |own, _, out| Ok(plan!(setting, Sign(own, out))))?;
            Ok(Answer::as_assumed(found == [0.0; 3], format!("{found:?}")))
        },
    ),
    Probe::new(
        "powers-that-are-one",
        "What are 0 to the power of 0, NaN to the power of 0, and 1 to the power of NaN?",
        "1 each, as in IEEE 754.",
        powers_that_are_one,
    ),
    Probe::new(
        "order-of-nan",
        "Where does a sort put what is not a number?",
        "Last, as PyTorch does.",
        order_of_nan,
    ),
    Probe::new(
        "median-beside-nan",
        "What is the median of a row that has an element which is not a number?",
        "Not a number, as in PyTorch; on the 950 the middle one of the row sorted with NaN last.",
        median_beside_nan,
    ),
    Probe::new(
        "first-of-equals",
        "Which index do ArgMax and Cummax give for equal elements?",
        "ArgMax the first one, Cummax the last one so far.",
        first_of_equals,
    ),
    Probe::new(
        "unique-zeros",
        "Are 0 and -0 one value for Unique?",
        "Yes; the page of Unique2 says that they may be two.",
        unique_zeros,
    ),
    Probe::new(
        "alpha-is-rounded",
        "Does Add round the product with alpha before it adds?",
        "Yes: multiplication and addition are not fused.",
        alpha_is_rounded,
    ),
    Probe::new(
        "range-is-rounded",
        "How are the elements of Arange in f32 computed?",
        "The step times the number of the element is rounded, then added to the start.",
        range_is_rounded,
    ),
    Probe::new(
        "sums-repeat",
        "Has the sum of 100,000 floats the same bits each time, and which?",
        "The same bits each time. The order of a device is not known, so it differs from the emulator's.",
        sums_repeat,
    ),
    Probe::new(
        "sums-of-halves",
        "In which type is a sum of f16 accumulated?",
        "In f32, and rounded once at the end.",
        sums_of_halves,
    ),
    Probe::new(
        "infinite-f64",
        "Does IsInf take f64, which its page lists?",
        "Phase one refuses it, as there is no kernel.",
        infinite_f64,
    )
    .dangerous(),
];

const NAN: &str = "NaN stays NaN, as in PyTorch on a CPU.";

/// Computes a function of some floats, of as many ones, and of the result, which has as many elements too.
fn computed(
    setting: &Setting,
    input: &[f32],
    plan: impl Fn(*mut aclTensor, *mut aclTensor, *mut aclTensor) -> Result<Planned>,
) -> Result<Vec<f32>> {
    let (dims, ones) = ([input.len() as i64], vec![1_f32; input.len()]);
    let memory = [setting.filled(input)?, setting.filled(&ones)?, setting.filled(&ones)?];
    let [own, ones, out] = &memory;
    let tensor = |memory: &Owned<c_void>| setting.tensor(F32, &dims, memory.handle);
    let (own, ones, result) = (tensor(own)?, tensor(ones)?, tensor(out)?);
    setting.finish(&plan(own.handle, ones.handle, result.handle)?)?;
    setting.download(out.handle, input.len())
}

fn of_nan(
    setting: &Setting,
    plan: impl Fn(*mut aclTensor, *mut aclTensor, *mut aclTensor) -> Result<Planned>,
) -> Result<Answer> {
    // As many as several lanes of a vector, of both signs.
    let mut input = [f32::NAN; 96];
    input.iter_mut().step_by(2).for_each(|value| *value = -f32::NAN);
    let found = computed(setting, &input, plan)?;
    let stay = found.iter().filter(|value| value.is_nan()).count();
    let text = match found.iter().find(|value| !value.is_nan()) {
        Some(other) => format!("{stay} of {} stay NaN, others are {other}", input.len()),
        None => "all stay NaN".to_owned(),
    };
    Ok(Answer::as_assumed(stay == input.len(), text))
}

fn powers_that_are_one(setting: &Setting) -> Result<Answer> {
    let base = Tensor::from_slice(&setting.device, &[0.0, f32::NAN, 1.0], [3])?;
    let exponent = Tensor::from_slice(&setting.device, &[0.0, 0.0, f32::NAN], [3])?;
    let found = base.pow(&exponent)?.to_vec::<f32>()?;
    Ok(Answer::as_assumed(found == [1.0; 3], format!("{found:?}")))
}

fn order_of_nan(setting: &Setting) -> Result<Answer> {
    let row = Tensor::from_slice(&setting.device, &[2.0, f32::NAN, 1.0, -f32::NAN, f32::INFINITY], [5])?;
    let (values, order) = row.sort(0)?;
    let (values, order) = (values.to_vec::<f32>()?, order.to_vec::<i64>()?);
    let text = format!("[2, NaN, 1, -NaN, inf] sorts to {values:?}, by the order {order:?}");
    Ok(Answer::as_assumed(order == [2, 0, 4, 1, 3], text))
}

fn median_beside_nan(setting: &Setting) -> Result<Answer> {
    let rows = [f32::NAN, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, f32::NAN];
    let memory = setting.filled(&rows)?;
    let (values, indices) = (setting.filled(&[0_f32; 2])?, setting.filled(&[0_i64; 2])?);
    let own = setting.tensor(F32, &[2, 5], memory.handle)?;
    let (out, places) =
        (setting.tensor(F32, &[2], values.handle)?, setting.tensor(I64, &[2], indices.handle)?);
    setting.finish(&plan!(setting, MedianDim(own.handle, 1, false, out.handle, places.handle)))?;
    let found = setting.download::<f32>(values.handle, 2)?;
    let text =
        format!("NaN before 1 to 4 gives {}, NaN behind them {}", found_at(&found, 0), found_at(&found, 1));
    Ok(Answer::as_assumed(found.iter().all(|value| value.is_nan()), text))
}

fn found_at(found: &[f32], place: usize) -> f32 {
    found.get(place).copied().unwrap_or_default()
}

fn first_of_equals(setting: &Setting) -> Result<Answer> {
    let row = Tensor::from_slice(&setting.device, &[1.0_f32, 3.0, 2.0, 3.0, 3.0], [5])?;
    let greatest = row.argmax(0)?.to_vec::<i64>()?;
    let so_far = row.cummax(0)?.1.to_vec::<i64>()?;
    let text = format!("of [1, 3, 2, 3, 3]: ArgMax {greatest:?}, Cummax {so_far:?}");
    Ok(Answer::as_assumed(greatest == [1] && so_far == [0, 1, 1, 3, 4], text))
}

fn unique_zeros(setting: &Setting) -> Result<Answer> {
    let zeros = Tensor::from_slice(&setting.device, &[0.0_f32, -0.0, 0.0, -0.0], [4])?;
    let found = zeros.unique()?.to_vec::<f32>()?;
    Ok(Answer::as_assumed(found.len() == 1, format!("[0, -0, 0, -0] has the values {found:?}")))
}

fn alpha_is_rounded(setting: &Setting) -> Result<Answer> {
    // (1 + 2⁻¹²)² is 1 + 2⁻¹¹ + 2⁻²⁴, of which f32 has no last part.
    let near_one = 1.0 + f32::EPSILON * 2048.0;
    let own = Tensor::from_slice(&setting.device, &[-(near_one * near_one)], [1])?;
    let other = Tensor::from_slice(&setting.device, &[near_one], [1])?;
    let found = ops::add(&own, &other).alpha(near_one).run()?.item::<f32>()?;
    let fused = near_one.mul_add(near_one, -(near_one * near_one));
    let what = match found {
        0.0 => "rounded first",
        found if found == fused => "not rounded: fused",
        _ => "neither rounded nor fused",
    };
    Ok(Answer::as_assumed(found == 0.0, format!("the product is {what} (the sum is {found:e})")))
}

fn range_is_rounded(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 4096;
    let (start, step) = (0.1_f32, 0.1_f32);
    let end = start + step * (COUNT as f32 - 0.5);
    let memory = setting.filled(&[0_f32; COUNT])?;
    let out = setting.tensor(F32, &[COUNT as i64], memory.handle)?;
    let (from, to, by) = (setting.scalar(start)?, setting.scalar(end)?, setting.scalar(step)?);
    setting.finish(&plan!(setting, Arange(from.handle, to.handle, by.handle, out.handle)))?;
    let found = setting.download::<f32>(memory.handle, COUNT)?;
    let mut sum = start - step;
    let accumulated = (0..COUNT).map(|_| {
        sum += step;
        sum
    });
    let differ =
        |elements: Vec<f32>| found.iter().zip(elements).filter(|(found, element)| *found != element).count();
    let numbers = || (0..COUNT).map(|number| number as f32);
    let rounded = differ(numbers().map(|number| start + step * number).collect());
    let fused = differ(numbers().map(|number| step.mul_add(number, start)).collect());
    let wide = |number: f32| (f64::from(start) + f64::from(step) * f64::from(number)) as f32;
    let wide = differ(numbers().map(wide).collect());
    let accumulated = differ(accumulated.collect());
    let text = format!(
        "of {COUNT} elements from 0.1 on by 0.1, {rounded} differ from products that are rounded, {fused} from fused ones, \
         {wide} from those computed in f64, {accumulated} from repeated addition"
    );
    Ok(Answer::as_assumed(rounded == 0, text))
}

fn sums_repeat(setting: &Setting) -> Result<Answer> {
    let mut state = 1_u32;
    let values: Vec<f32> = (0..100_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        })
        .collect();
    let exact: f64 = values.iter().map(|value| f64::from(*value)).sum();
    let tensor = Tensor::from_vec(&setting.device, values, [100_000])?;
    let sums = (0..8).map(|_| Ok(tensor.sum(0)?.item::<f32>()?)).collect::<Result<Vec<f32>>>()?;
    let same = sums
        .windows(2)
        .all(|pair| pair.first().map(|sum| sum.to_bits()) == pair.last().map(|sum| sum.to_bits()));
    let text = format!(
        "eight sums are {} with the bits {:08x}; in f64 the sum is {exact}",
        if same { "the same" } else { "different, the first" },
        found_at(&sums, 0).to_bits()
    );
    Ok(Answer::as_assumed(same, text))
}

fn sums_of_halves(setting: &Setting) -> Result<Answer> {
    // In f16, one more than 2048 is 2048.
    let sum = Tensor::ones(&setting.device, [5000], DType::F16)?.sum(0)?.cast(F32)?.item::<f32>()?;
    Ok(Answer::as_assumed(sum == 5000.0, format!("5000 ones make {sum}")))
}

fn infinite_f64(setting: &Setting) -> Result<Answer> {
    let (input, output) = (setting.filled(&[f64::INFINITY, 1.0])?, setting.filled(&[7_u8; 2])?);
    let own = setting.tensor(F64, &[2], input.handle)?;
    let out = setting.tensor(DType::Bool, &[2], output.handle)?;
    let planned = plan!(setting, IsInf(own.handle, out.handle));
    if planned.code != 0 {
        return Ok(Answer::right(format!("phase one returned {}", planned.code)));
    }
    let end = setting.finish(&planned);
    let found = setting.download::<u8>(output.handle, 2)?;
    let how = end.err().map_or("succeeded".to_owned(), |error| format!("failed: {error:#}"));
    Ok(Answer::wrong(format!("phase one took it; the launch {how}, and [inf, 1] gives {found:?}")))
}
