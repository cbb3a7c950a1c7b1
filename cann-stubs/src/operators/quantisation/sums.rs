//! Norms of sums by the mean square, quantised with a scale for each element of a row.

use aclnn_numerics::DType::{self, BF16, F16, F32, I8, I32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend950};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::axis::quantisation::{Norm, Shift, Short, Target};

use super::norms::{check_ranks, epsilon, row_of};
use super::rows::{FLOATS, Rows, codes, given_as, one_of};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, unlaunched, when_launched};
use crate::operators::signatures;
use crate::settings;
use crate::status::{Result, Status};

fn null<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message))
}

/// Whether the device reads the rounded sum, as it keeps a row for each core: there are no more rows than vector cores, and a row
/// fits the buffer.
fn is_kept_in_a_core(rows: usize, len: usize, has: [bool; 2]) -> bool {
    let longest = match has {
        [true, true] => 6976,
        [true, false] => 8128,
        _ => 12224,
    };
    // Of the 910B.
    rows <= 48 && len <= longest
}

/// The least number of elements of gamma on the 310P.
const LEAST_ON_310P: usize = 32;

pub(super) fn add_rms_norm_quant(call: &Call<'_>) -> Result<Plan> {
    let is_second = call.has("rmsNormOut");
    let (x1, x2, gamma) = (call.tensor("x1")?, call.tensor("x2")?, call.tensor("gamma")?);
    let scales1 = call.tensor("scales1")?;
    let (y1, y2) = (call.tensor("y1Out")?, call.tensor("y2Out")?);
    let sum = if is_second { call.optional_tensor("xOut")? } else { Some(call.tensor("xOut")?) };
    let norm = if is_second { call.optional_tensor("rmsNormOut")? } else { None };
    let beta = if is_second { call.optional_tensor("betaOptional")? } else { None };
    let scales2 = call.optional_tensor("scales2Optional")?;
    let zeros1 = call.optional_tensor("zeroPoints1Optional")?;
    let zeros2 = call.optional_tensor("zeroPoints2Optional")?;
    let product = settings::get().product;
    let is_950 = product == Ascend950;
    let divides = call.flag("divMode")?;

    if is_second && !is_950 && [&x1, &gamma, &y2].into_iter().any(|operand| operand.is_empty()) {
        return Ok(Plan::empty());
    }
    let is_one = |operand: &Operand| operand.shape().is_ok_and(|shape| shape[..] == [1]);
    let spans_last = |gamma: &Operand| {
        let sizes =
            (gamma.shape().ok().map(|shape| shape.to_vec()), x1.shape().ok().and_then(|x| x.last().copied()));
        matches!(&sizes, (Some(own), Some(last)) if *own == [*last] || *own == [1, *last])
    };
    let forms = match (beta.is_some(), norm.is_some()) {
        (true, false) => sum.is_some(),
        (false, true) => sum.is_none(),
        _ => false,
    };
    let is_single = is_second
        && !is_950
        && scales2.is_none()
        && zeros2.is_none()
        && divides
        && spans_last(&gamma)
        && is_one(&scales1)
        && zeros1.as_ref().is_some_and(is_one)
        && forms;
    // Without scales the offsets count for nothing.
    let zeros2 = zeros2.filter(|_| scales2.is_some());
    if is_second && !is_950 && !is_single {
        if sum.is_none() {
            return null("xOut is null, which goes with rmsNormOut, one scale and one offset alone");
        }
        if norm.is_some() {
            return null("rmsNormOut goes with one scale and one offset, without beta and without xOut");
        }
    }
    let signature = &signatures::add_rms_norm_quant;
    let own = check::dtype(&x1, signature.takes)?;
    for operand in [Some(x2), Some(gamma), beta, sum, norm].iter().flatten() {
        one_of(operand, &FLOATS)?;
    }
    let to = output_of(signature.output, own, own, &y1)?;
    check::exactly(&y2, to)?;
    let of_scales = one_of(&scales1, &FLOATS)?;
    given_as(scales2.as_ref(), &[of_scales])?;
    // The second form converts offsets of i8, and scales of f16.
    let all_offsets = [I32, F32, F16, BF16, I8];
    let offsets = if is_second { &all_offsets[..] } else { &all_offsets[..4] };
    let of_zeros = given_as(zeros1.as_ref(), offsets)?;
    let of_zeros2 = given_as(zeros2.as_ref(), offsets)?;
    check_ranks(&[x1, y1, y2, x2, gamma, scales1])?;
    check_ranks(&[scales2, zeros1, zeros2, sum, norm])?;
    if [&x1, &gamma, &y2].into_iter().any(|operand| operand.is_empty()) {
        return Ok(Plan::empty());
    }
    let known = |dtype: Option<DType>, list: &[DType]| dtype.is_none_or(|dtype| list.contains(&dtype));
    let others = [Some(x2), Some(gamma), beta, sum, norm];
    let are_alike = others.iter().flatten().all(|other| other.known_dtype() == Some(own));
    let is_known = |list: &[DType]| [of_zeros, of_zeros2].into_iter().all(|dtype| known(dtype, list));
    let fits = match (own, of_scales) {
        _ if is_950 => true,
        (F16 | BF16, _) if is_single => is_known(&[I32, BF16, I8]),
        (F16 | BF16, F16) if is_second => is_known(&[I32, I8]),
        (F16 | BF16, F32) => is_known(if is_second { &[I32, I8] } else { &[I32] }),
        (BF16, BF16) => is_known(&[BF16]),
        _ => false,
    };
    if !are_alike || !fits {
        let message = format!(
            "x1, x2, gamma and xOut of {own} go with scales of f32 and offsets of i32, or with those of bf16 if they are bf16"
        );
        return if is_second { invalid(message) } else { unlaunched(message) };
    }
    let shape = x1.shape()?;
    let has_second = scales2.is_some() || is_second && !is_950;
    for output in [Some(y1), sum, norm, has_second.then_some(y2)].iter().flatten() {
        let checked = check::output_shape(output, shape);
        if is_second { checked? } else { checked.map_err(when_launched)? }
    }
    check::output_shape(&x2, shape)?;
    let [count, len] = if is_single {
        [shape.numel().unwrap_or(0) / shape.last().copied().unwrap_or(1), shape.last().copied().unwrap_or(1)]
    } else {
        row_of(&x1, &gamma)?
    };
    let of_row = [
        Some(&scales1).filter(|_| !is_single),
        scales2.as_ref(),
        zeros1.as_ref().filter(|_| !is_single),
        zeros2.as_ref(),
        beta.as_ref(),
    ];
    if is_second && product == Ascend310P && !is_single && len < LEAST_ON_310P {
        return invalid(format_args!(
            "gamma has {len} elements, but must have {LEAST_ON_310P} or more on this product"
        ));
    }
    for operand in of_row.into_iter().flatten() {
        if is_second && !is_950 && !is_single {
            check::output_shape(operand, gamma.shape()?)?;
        }
        if operand.shape()?.numel() != Some(len) {
            return invalid(format_args!(
                "{} has shape {}, but a row has {len} elements",
                operand.name,
                operand.shape()?
            ));
        }
    }

    let mut rows = Rows::new(count);
    rows.each(&x1, [own, F32])?;
    let other = Some(rows.each(&x2, [own, F32])?);
    let of_gamma = rows.all(&gamma, [own, F32])?;
    let of_beta = rows.all_of(beta.as_ref(), &FLOATS)?;
    let scales = rows.all(&scales1, [of_scales, F32])?;
    let zeros = rows.all_of(zeros1.as_ref(), offsets)?;
    let second = match &scales2 {
        Some(scales2) => Some((rows.all(scales2, [of_scales, F32])?, rows.all_of(zeros2.as_ref(), offsets)?)),
        None => None,
    };
    let mut outputs = 0..;
    let mut next = || outputs.next().unwrap_or(0);
    let shift = match zeros {
        Some(offset) if is_single => Shift::One { scale: scales, offset, is_short: false },
        offsets => Shift::Each { scales, offsets, divides },
    };
    let mut targets = vec![Target { codes: codes(to)?, output: next(), scale: None, shift }];
    rows.write(&y1, [to, to])?;
    if let Some((scales, offsets)) = second {
        let shift = Shift::Each { scales, offsets, divides };
        targets.push(Target { codes: codes(to)?, output: next(), scale: None, shift });
        rows.write(&y2, [to, to])?;
    }
    let mut kept = |output: &Option<Operand>| output.is_some().then(&mut next);
    let (sum_output, norm_output) = (kept(&sum), kept(&norm));
    for output in [&sum, &norm].into_iter().flatten() {
        rows.write(output, [F32, own])?;
    }
    let rounded = match own {
        _ if is_single => None,
        F16 => Some(Short::F16),
        BF16 if beta.is_some() || is_kept_in_a_core(count, len, [scales2.is_some(), zeros2.is_some()]) => {
            Some(Short::BF16)
        }
        _ => None,
    };
    let body = Norm {
        other,
        gamma: of_gamma,
        beta: of_beta,
        epsilon: epsilon(call)?,
        divides_squares: true,
        sum: rounded,
        is_short: own == F16 && !is_single,
        sum_output,
        norm_output,
        targets,
    };
    rows.plan(body.rows())
}
