//! Order: sorting, selection by rank, search, unique elements.
//!
//! Where positions are asked for and equal elements have no order among them, all elements are different.

use aclnn_numerics::DType::{self, F32, I32, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, SHAPES, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let is_search = matches!(operator.info.function(), "search_sorted" | "bucketize");
    let mut cells = Vec::new();
    for own in pool(takes) {
        let others = if is_search && takes.contains(own) { vec![own, F32, I32] } else { vec![own] };
        let mut tried: Vec<DType> = Vec::new();
        for other in others {
            if tried.contains(&other) {
                continue;
            }
            tried.push(other);
            let types = if is_search { vec![own, other] } else { vec![own] };
            let is_taken = types.iter().all(|dtype| takes.contains(*dtype));
            let classes: Vec<Class> = match is_taken {
                // Elements that an axis repeats are not different.
                true if is_ranked(operator) => {
                    SHAPES.into_iter().filter(|class| *class != Class::Broadcast).collect()
                }
                true => SHAPES.to_vec(),
                false => vec![Class::Contiguous],
            };
            let variants: &[&str] = match operator.info.function() {
                "sort" | "argsort" | "topk" => &["", "descending"],
                _ => &[""],
            };
            cells.push(Cell::with_variants(&types, &classes, variants));
        }
    }
    cells
}

/// Returns whether an operator gives the positions of elements, or one by its rank, without an order among equal ones.
fn is_ranked(operator: &Operator) -> bool {
    !matches!(
        operator.info.function(),
        "sort" | "unique" | "unique_consecutive" | "unique_dim" | "search_sorted" | "bucketize"
    )
}

pub(super) fn make(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let dims = call.class.dims();
    let rank = dims.len();
    let numel: i64 = dims.iter().product();
    let last = dims.last().copied().unwrap_or(1);
    let descends = call.variant == "descending";
    let with_last = |size: i64| -> Vec<i64> {
        let mut dims = dims.clone();
        if let Some(last) = dims.last_mut() {
            *last = size;
        }
        dims
    };
    let without_last = &dims[..rank.saturating_sub(1)];
    match call.name() {
        "Sort" => {
            call.read(own, &dims, Domain::Any);
            call.flag(true);
            call.int(-1);
            call.flag(descends);
            call.write(own, &dims);
            call.write(I64, &dims);
        }
        "Argsort" => {
            different(call, own, &dims);
            call.int(-1);
            call.flag(descends);
            call.write(I64, &dims);
        }
        "Topk" => {
            different(call, own, &dims);
            let count = last.min(3);
            call.int(count);
            call.int(-1);
            call.flag(descends);
            call.flag(true);
            call.write(own, &with_last(count));
            call.write(I64, &with_last(count));
        }
        "Kthvalue" | "MedianDim" | "NanMedianDim" => {
            different(call, own, &dims);
            if call.name() == "Kthvalue" {
                call.int(last.min(2));
            }
            call.int(-1);
            call.flag(false);
            call.write(own, without_last);
            call.write(I64, without_last);
        }
        "Median" | "NanMedian" => {
            different(call, own, &dims);
            call.write(own, &[]);
        }
        "SearchSorted" | "SearchSorteds" | "Bucketize" => search(call, own, &dims),
        "Unique" | "Unique2" => {
            call.read(own, &dims, Domain::Whole(0, 5));
            let has_counts = call.name() == "Unique2";
            (0..2 + usize::from(has_counts)).for_each(|_| call.flag(true));
            call.sized(own, &[numel]);
            call.write(I64, &dims);
            if has_counts {
                call.sized(I64, &[numel]);
            }
        }
        "UniqueConsecutive" => {
            call.read(own, &dims, Domain::Whole(0, 2));
            call.flag(true);
            call.flag(true);
            // Beyond any axis: of the flattened tensor.
            call.int(1000);
            call.sized(own, &[numel]);
            call.write(I64, &dims);
            call.sized(I64, &[numel]);
        }
        "UniqueDim" => {
            let first = dims.first().copied().unwrap_or(1);
            call.read(own, &dims, Domain::Whole(0, 2));
            call.flag(true);
            call.flag(true);
            call.int(0);
            call.sized(own, &dims);
            call.write(I64, &[first]);
            call.sized(I64, &[first]);
        }
        _ => call.unserved(),
    }
}

/// Adds a tensor whose elements are all different.
fn different(call: &mut Call<'_>, dtype: DType, dims: &[i64]) {
    let count = dims.iter().product::<i64>() as usize;
    let numbers = call.draw.different(count, count);
    call.read_numbers(dtype, dims, &numbers);
}

fn search(call: &mut Call<'_>, own: DType, dims: &[i64]) {
    let other = call.dtype(1);
    let sequence: Vec<i64> = (0..7).map(|number| 2 * number + i64::from(number > 3)).collect();
    let is_bucketize = call.name() == "Bucketize";
    let is_scalar = call.name() == "SearchSorteds";
    if is_bucketize {
        call.read(own, dims, Domain::Whole(0, 12));
        call.read_numbers(other, &[7], &sequence);
    } else {
        call.read_numbers(own, &[7], &sequence);
        if is_scalar { call.scalar(other, 5.0) } else { call.read(other, dims, Domain::Whole(0, 12)) }
    }
    let narrow = call.class == Class::Strided;
    call.flag(narrow);
    call.flag(call.class == Class::Transposed);
    if !is_bucketize {
        call.push(Argument::Null);
    }
    call.write(if narrow { I32 } else { I64 }, if is_scalar { &[] } else { dims });
}
