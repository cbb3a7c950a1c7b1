//! Elements turned by the positions of their tokens.

use aclnn::ops::{self, Rotation};
use aclnn::{DType, Tensor};

use super::heads::count;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn rotary_embedding(node: &Node) -> NodeResult<Prepared> {
    let heads = count(node.attributes.int("num_heads")?.filter(|heads| *heads != 0))?;
    let is_interleaved = node.flag("interleaved", false)?;
    let Ok(turned) = usize::try_from(node.int("rotary_embedding_dim", 0)?) else {
        return Reason::text("its `rotary_embedding_dim` is negative");
    };
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        // Tokens come before heads in three axes, and behind them in four.
        let (x4, heads_at) = match (x.dims(), heads) {
            (&[batch, tokens, width], Some(heads)) if width % heads == 0 => {
                (x.contiguous()?.reshape([batch, tokens, heads, width / heads])?, 2)
            }
            ([_, _, _, _], _) => (x.clone(), 1),
            (dims, _) => return Reason::text(format!("elements of {dims:?} are not those of heads")),
        };
        let size = x4.dims().last().copied().unwrap_or(0);
        let turned = if turned == 0 { size } else { turned };
        if turned > size || turned % 2 != 0 {
            return Reason::text(format!("{turned} of {size} elements cannot be turned"));
        }
        let positions = call.optional_tensor(3)?;
        let of = |input: usize| -> NodeResult<Tensor> {
            let cache = call.tensor(input)?;
            let angles = match &positions {
                Some(positions) => cache.take_axis(0, positions)?,
                None => cache,
            };
            match angles.dims() {
                [_, _, half] if half * 2 == turned => Ok(angles.unsqueeze(heads_at)?),
                other => Reason::text(format!("its angles have the shape {other:?}, for {turned} elements")),
            }
        };
        let (first, rest) = x4.split_at(-1, turned)?;
        let y = rotated(&first, &of(1)?, &of(2)?, is_interleaved)?;
        let y = if turned == size { y } else { ops::cat(&[&y, &rest], -1).run()? };
        Ok(y.reshape(x.shape().clone())?)
    }))
}

/// Turns all elements by angles that each two of them have.
fn rotated(x: &Tensor, cos: &Tensor, sin: &Tensor, is_interleaved: bool) -> NodeResult<Tensor> {
    let size = x.dims().last().copied().unwrap_or(0);
    let batches_and_heads: usize = x.dims().iter().take(2).product();
    if matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16)
        && size <= 896
        && batches_and_heads < 1000
        && x.numel() > 0
        && cos.dims().get(1) == Some(&1)
        // Neighbours are turned by angles that all batches share.
        && (!is_interleaved || cos.dims().first() == Some(&1))
    {
        let of_all = |angles: &Tensor| match is_interleaved {
            true => angles.repeat_interleave(2, -1),
            false => ops::cat(&[angles, angles], -1).run(),
        };
        let rotation = if is_interleaved { Rotation::Interleaved } else { Rotation::Half };
        return Ok(x.contiguous()?.rotary_embedding(&of_all(cos)?, &of_all(sin)?, rotation)?);
    }
    let (first, second) = match is_interleaved {
        true => (x.slice_step(-1, 0.., 2)?, x.slice_step(-1, 1.., 2)?),
        false => x.split_at(-1, size / 2)?,
    };
    let real = first.mul(cos)?.sub(&second.mul(sin)?)?;
    let imaginary = first.mul(sin)?.add(&second.mul(cos)?)?;
    Ok(match is_interleaved {
        true => ops::stack(&[&real, &imaginary], -1).run()?.reshape(x.shape().clone())?,
        false => ops::cat(&[&real, &imaginary], -1).run()?,
    })
}
