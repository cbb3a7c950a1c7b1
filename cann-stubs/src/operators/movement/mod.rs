//! The operators that move elements: their checks, and the parts that are copied from where to where.
//!
//! Each operator is a list of [`Pieces`](pieces::Pieces): a part of an input goes to a part of an output. What depends on
//! values, or on the number of a row, has a body of its own.

mod backward;
mod diagonal;
mod im2col;
mod interleave;
mod join;
mod lanes;
mod pad;
mod pieces;
mod reorder;
mod repeat;
mod rules;
mod slice;
mod split;
mod strided_slice;
mod triangle;

use super::formats::{convert_weight_to_int4_pack, npu_format_cast};
use super::phases::entry_points;
use backward::*;
use diagonal::*;
use im2col::*;
use interleave::*;
use join::*;
use pad::*;
use reorder::*;
use repeat::*;
use slice::*;
use split::*;
use strided_slice::*;
use triangle::*;

aclnn_sys::movement_operators!(entry_points);
