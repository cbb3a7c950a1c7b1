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
use backward::{circular_pad_backward, reflection_pad_backward, replication_pad_backward, unfold_grad};
use diagonal::{diag, diag_flat, eye, fill_diagonal};
use im2col::im2col;
use interleave::{repeat_interleave, repeat_interleave_tensor, repeat_interleave_with_dim};
use join::{cat, chunk_cat, stack};
use pad::{circular_pad, constant_pad_nd, reflection_pad, replication_pad};
use reorder::{channel_shuffle, flatten, flip, permute, roll};
use repeat::{expand, fill_tensor, repeat};
use slice::{slice, slice_v2};
use split::{split_tensor, split_with_size};
use strided_slice::{strided_slice, strided_slice_assign};
use triangle::{tril, triu};

aclnn_sys::movement_operators!(entry_points);
