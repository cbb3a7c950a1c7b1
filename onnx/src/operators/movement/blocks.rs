//! Channels to places and back: DepthToSpace, SpaceToDepth.

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::operators::shapes::in_shape;
use crate::run::Prepared;

/// The shape as which elements are seen, the order of its axes, and the shape of the result.
struct Way {
    seen: [usize; 6],
    order: [usize; 6],
    result: [usize; 4],
}

/// Returns whether the depth comes first in a block of channels.
fn by_column(node: &Node) -> NodeResult<bool> {
    match node.text("mode", "DCR")?.as_str() {
        "DCR" => Ok(false),
        "CRD" => Ok(true),
        other => Reason::text(format!("its mode is `{other}`, neither DCR nor CRD")),
    }
}

pub(super) fn depth_to_space(node: &Node) -> NodeResult<Prepared> {
    let by_column = by_column(node)?;
    prepared(node, move |[n, c, h, w], block| {
        let (square, high, wide) = (block.checked_mul(block)?, h.checked_mul(block)?, w.checked_mul(block)?);
        if c % square != 0 {
            return None;
        }
        let depth = c / square;
        let (seen, order) = match by_column {
            false => ([n, block, block, depth, h, w], [0, 3, 4, 1, 5, 2]),
            true => ([n, depth, block, block, h, w], [0, 1, 4, 2, 5, 3]),
        };
        Some(Way { seen, order, result: [n, depth, high, wide] })
    })
}

pub(super) fn space_to_depth(node: &Node) -> NodeResult<Prepared> {
    let by_column = by_column(node)?;
    prepared(node, move |[n, c, h, w], block| {
        let depth = block.checked_mul(block)?.checked_mul(c)?;
        if h % block != 0 || w % block != 0 {
            return None;
        }
        let (high, wide) = (h / block, w / block);
        Some(Way {
            seen: [n, c, high, block, wide, block],
            order: if by_column { [0, 1, 3, 5, 2, 4] } else { [0, 3, 5, 1, 2, 4] },
            result: [n, depth, high, wide],
        })
    })
}

fn prepared(
    node: &Node,
    way: impl Fn([usize; 4], usize) -> Option<Way> + Clone + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    let size = node.required_int("blocksize")?;
    let Ok(block @ 1..) = usize::try_from(size) else {
        return Reason::text(format!("its blocks have the size {size}"));
    };
    let checked = move |dims: &[usize]| -> NodeResult<Way> {
        let found = <[usize; 4]>::try_from(dims).ok().and_then(|dims| way(dims, block));
        Ok(found.ok_or_else(|| format!("{dims:?} has no blocks of {block} by {block}"))?)
    };
    let for_host = checked.clone();
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let way = checked(tensor.dims())?;
        in_shape(&in_shape(&tensor, way.seen.into())?.permute(&way.order)?, way.result.into())
    })
    .or_host(move |call| {
        let array = call.array(0)?;
        let way = for_host(array.dims())?;
        let seen = array.reshape(way.seen)?;
        Ok(places::view(&seen, seen.layout().permute(&way.order))?.reshape(way.result)?)
    }))
}
