//! Factors of matrices, and what is computed by them. A device's processors do the work.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::Linalg;
use aclnn_sys::ACL_FORMAT_FRACTAL_NZ;
use cann_kernels::products::linalg::{self, Parts};

use super::matrices::{RANKS, Seen, kernel_type, matrices, planned, shape, squares};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::Result;

/// The largest matrix of which a Cholesky factor is made.
const LARGEST: usize = 8192;

/// The type of an output, which must suit the operand.
fn output(signature: &Linalg, from: DType, out: &Operand) -> Result<DType> {
    output_of(signature.output, from, from, out)
}

pub(super) fn inverse(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::inverse;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output(signature, from, &out)?;
    check::output_shape(&out, own.shape()?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (batch, n) = squares(&own, &RANKS)?;
    let (kernel, compute) = (kernel_type(from), linalg::compute_type(from));
    let inputs = vec![Seen::whole(&own, from, kernel, n * n)?];
    let outputs = vec![Seen::whole(&out, to, kernel, n * n)?];
    let body = linalg::inverse(compute.is_complex(), n);
    planned(PlanBuilder::new(), inputs, outputs, (batch.iter().product(), compute), false, body)
}

pub(super) fn qr(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::qr;
    let operands = || Ok([call.tensor("self")?, call.tensor("Q")?, call.tensor("R")?]);
    let [own, q, r] = operands().map_err(check::null_is_internal)?;
    let from = check::dtype(&own, signature.takes)?;
    let [of_q, of_r] = [output(signature, from, &q)?, output(signature, from, &r)?];
    let parts = match call.has("mode") {
        true => match call.int("mode")? {
            1 => Parts::Complete,
            2 => Parts::Triangle,
            _ => Parts::Reduced,
        },
        false if call.flag("some")? => Parts::Reduced,
        false => Parts::Complete,
    };
    let (batch, [m, n]) = matrices(&own, &RANKS)?;
    let k = if parts == Parts::Complete { m } else { m.min(n) };
    let of_columns = if parts == Parts::Triangle { Shape::from([0]) } else { shape(batch, &[m, k]) };
    check::output_shape(&q, &of_columns)?;
    check::output_shape(&r, &shape(batch, &[k, n]))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (kernel, compute) = (kernel_type(from), linalg::compute_type(from));
    let inputs = vec![Seen::whole(&own, from, kernel, m * n)?];
    let mut outputs = vec![Seen::whole(&r, of_r, kernel, k * n)?];
    if parts != Parts::Triangle {
        outputs.insert(0, Seen::whole(&q, of_q, kernel, m * k)?);
    }
    let body = linalg::qr(compute.is_complex(), [m, n], parts);
    planned(PlanBuilder::new(), inputs, outputs, (batch.iter().product(), compute), false, body)
}

/// A function of the determinant of each matrix, which has one element for each output.
fn determinants(
    signature: &Linalg,
    own: &Operand,
    outputs: &[&Operand],
    function: fn(bool, usize) -> linalg::Body,
) -> Result<Plan> {
    let from = check::dtype(own, signature.takes)?;
    for out in outputs {
        let to = output(signature, from, out)?;
        if from.is_complex() && !to.is_complex() {
            return invalid(format_args!("self is {from}, but {} is {to}, which is not complex", out.name));
        }
    }
    let (batch, n) = squares(own, &(2..=usize::MAX))?;
    for out in outputs {
        check::output_shape(out, &shape(batch, &[]))?;
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let inputs = vec![Seen::whole(own, from, from, n * n)?];
    let mut written = Vec::new();
    for out in outputs {
        written.push(Seen::whole(out, output(signature, from, out)?, from, 1)?);
    }
    let compute = linalg::compute_type(from);
    let body = function(compute.is_complex(), n);
    planned(PlanBuilder::new(), inputs, written, (batch.iter().product(), compute), false, body)
}

pub(super) fn slogdet(call: &Call<'_>) -> Result<Plan> {
    let (own, sign, logarithm) = (call.tensor("self")?, call.tensor("signOut")?, call.tensor("logOut")?);
    determinants(&signatures::slogdet, &own, &[&sign, &logarithm], linalg::sign_and_logarithm)
}

pub(super) fn logdet(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    determinants(&signatures::logdet, &own, &[&out], linalg::logarithm)
}

pub(super) fn cholesky(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::cholesky;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let is_upper = call.flag("upper")?;
    let from = check::dtype(&own, signature.takes)?;
    let to = output(signature, from, &out)?;
    check::output_shape(&out, own.shape()?)?;
    if own.format() != out.format() || own.format() == ACL_FORMAT_FRACTAL_NZ {
        return invalid("self and out must have one storage format, which is not a private one");
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (batch, n) = squares(&own, &RANKS)?;
    if n > LARGEST {
        return invalid(format_args!("matrices of self have {n} rows, but must have at most {LARGEST}"));
    }
    let kernel = kernel_type(from);
    let inputs = vec![Seen::whole(&own, from, kernel, n * n)?];
    let outputs = vec![Seen::whole(&out, to, kernel, n * n)?];
    let body = linalg::cholesky(n, is_upper);
    planned(PlanBuilder::new(), inputs, outputs, (batch.iter().product(), DType::F64), false, body)
}

pub(super) fn svd(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::svd;
    let (own, sigma) = (call.tensor("input")?, call.tensor("sigma")?);
    let vectors = [call.tensor("u")?, call.tensor("v")?];
    let (is_full, has_vectors) = (call.flag("fullMatrices")?, call.flag("computeUV")?);
    let from = check::dtype(&own, signature.takes)?;
    check::each(&[&[sigma], &vectors[..]].concat(), |out| output(signature, from, out))?;
    let (batch, [m, n]) = matrices(&own, &RANKS)?;
    let k = m.min(n);
    check::output_shape(&sigma, &shape(batch, &[k]))?;
    let columns = if is_full { [m, n] } else { [k, k] };
    if has_vectors {
        for ((out, rows), columns) in vectors.iter().zip([m, n]).zip(columns) {
            check::output_shape(out, &shape(batch, &[rows, columns]))?;
        }
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let inputs = vec![Seen::whole(&own, from, from, m * n)?];
    let mut outputs = vec![Seen::whole(&sigma, from, from, k)?];
    if has_vectors {
        for ((out, rows), columns) in vectors.iter().zip([m, n]).zip(columns) {
            outputs.push(Seen::whole(out, from, from, rows * columns)?);
        }
    }
    let compute = linalg::compute_type(from);
    let body = linalg::svd(compute.is_complex(), [m, n], is_full);
    planned(PlanBuilder::new(), inputs, outputs, (batch.iter().product(), compute), false, body)
}
