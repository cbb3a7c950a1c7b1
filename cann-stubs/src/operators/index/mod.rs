//! Elements by their indices, or by a mask: the checks of phase one in CANN's order, and the plans.
//!
//! An operator describes the positions that its indices find as a [`grid`] over the tensor that they number; `plans` copies
//! from there or writes there. Values of indices are not looked at before the work runs, where one that does not exist fails,
//! unless the operator passes it over.

mod advanced;
mod bags;
mod checks;
mod gather;
pub(super) mod grid;
mod mask;
mod plans;
pub(super) mod scatter;
mod slices;

use advanced::{index, index_put};
use bags::embedding_bag;
use gather::{
    embedding, embedding_dense_backward, gather, gather_nd, gather_v2, gather_v3, index_select, take,
};
use mask::{masked_fill, masked_scatter, masked_select, nonzero, nonzero_v2};
use scatter::{
    put, scatter, scatter_add, scatter_add_slices, scatter_div, scatter_list, scatter_nd, scatter_nd_update,
    scatter_reduce, scatter_slices, scatter_update, scatter_value,
};
use slices::{index_add, index_add_v2, index_copy, index_fill, index_fill_at, one_hot};

use super::phases::entry_points;

aclnn_sys::index_operators!(entry_points);
