//! Conversions between element types.

use aclnn::DType;
use aclnn::onnx::{self, CastOptions, RoundMode};

use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared, Values};

pub(super) const OPERATORS: &[Operator] =
    &[Operator::node("Cast", 6, cast), Operator::node("CastLike", 15, cast_like)];

fn options(node: &Node) -> NodeResult<CastOptions> {
    let round_mode: RoundMode = match node.text("round_mode", "up")?.parse() {
        Ok(mode) => mode,
        Err(error) => return Reason::text(format!("{error}")),
    };
    // Version 28 adds only types of six bits, which no Cast here has.
    Ok(CastOptions { saturate: node.flag("saturate", true)?, round_mode, opset: node.version.min(27) })
}

fn cast(node: &Node) -> NodeResult<Prepared> {
    let options = options(node)?;
    let Some(to) = node.dtype("to")? else { return Reason::text("its attribute `to` is missing") };
    Ok(Prepared::device(move |call| on_device(call, to, options))
        .or_host(move |call| on_host(call, to, options)))
}

fn cast_like(node: &Node) -> NodeResult<Prepared> {
    let options = options(node)?;
    Ok(Prepared::device(move |call| on_device(call, call.dtype(1)?, options))
        .or_host(move |call| on_host(call, call.dtype(1)?, options)))
}

fn on_host(call: &Call<'_>, to: DType, options: CastOptions) -> NodeResult<Array> {
    Ok(call.array(0)?.cast_with(to, options)?)
}

fn on_device(call: &Call<'_>, to: DType, options: CastOptions) -> NodeResult<Values> {
    if call.dtype(0)? == DType::String || to == DType::String {
        return Ok(on_host(call, to, options)?.into());
    }
    Ok(onnx::cast(&call.tensor(0)?, to).options(options).run()?.into())
}
