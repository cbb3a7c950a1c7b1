//! Normalisation: rows of a matrix, and channels of a small batch.

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, LAYOUTS_IN_PLACE, is_in_place, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const EPS: f64 = 1e-5;
const ANY: Domain = Domain::Between(-4.0, 4.0);
/// Means, and the inverses of standard deviations.
const MEAN: Domain = Domain::Between(-1.0, 1.0);
const INVERSE: Domain = Domain::Between(0.25, 2.0);
/// Sizes of a batch: images, channels, elements of a channel; and groups of channels.
const BATCH: [i64; 3] = [2, 4, 5];
const GROUPS: i64 = 2;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes: Vec<Class> = match is_in_place(operator) {
        true => LAYOUTS_IN_PLACE.to_vec(),
        false => LAYOUTS.into_iter().chain([Class::Empty]).collect(),
    };
    let of = |dtype: DType| {
        let classes = if takes.contains(dtype) { &classes[..] } else { &classes[..1] };
        Cell::new(&[dtype], classes)
    };
    // Other types are refused alike: one of them is enough.
    pool(takes).into_iter().filter(|dtype| takes.contains(*dtype) || *dtype == DType::I32).map(of).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let is_empty = call.class == Class::Empty;
    let count = if is_empty { 0 } else { 4 };
    let (rows, row, kept) = ([count, 9], [9], [count, 1]);
    let batch = if is_empty { [BATCH[0], BATCH[1], 0] } else { BATCH };
    let (channels, groups) = ([batch[1]], [batch[0], GROUPS]);
    let read = |call: &mut Call<'_>, sizes: &[&[i64]]| {
        sizes.iter().for_each(|sizes| call.read(dtype, sizes, ANY));
    };
    let float = |call: &mut Call<'_>, number: f64| call.push(Argument::Float(number));
    let moments = |call: &mut Call<'_>, dtype: DType, sizes: &[i64]| {
        call.read(dtype, sizes, MEAN);
        call.read(dtype, sizes, INVERSE);
    };
    let all = |call: &mut Call<'_>| call.push(Argument::Bools(vec![true; 3]));
    match call.name() {
        name @ ("LayerNorm" | "FastLayerNorm" | "LayerNormWithImplMode") => {
            read(call, &[&rows]);
            call.ints(&row);
            read(call, &[&row, &row]);
            float(call, EPS);
            call.write(dtype, &rows);
            call.write(F32, &kept);
            call.write(F32, &kept);
            if name == "LayerNormWithImplMode" {
                call.int(0);
            }
        }
        "LayerNormBackward" => {
            read(call, &[&rows, &rows]);
            call.ints(&row);
            moments(call, F32, &kept);
            read(call, &[&row]);
            call.push(Argument::Null);
            all(call);
            call.write(dtype, &rows);
            call.write(dtype, &row);
            call.write(dtype, &row);
        }
        "AddLayerNorm" => {
            read(call, &[&rows, &rows, &row, &row]);
            call.push(Argument::Null);
            float(call, EPS);
            call.flag(true);
            call.write(dtype, &rows);
            call.write(F32, &kept);
            call.write(F32, &kept);
            call.write(dtype, &rows);
        }
        "DeepNorm" => {
            read(call, &[&rows, &rows, &row, &row]);
            float(call, 0.5);
            float(call, EPS);
            call.write(F32, &kept);
            call.write(F32, &kept);
            call.write(dtype, &rows);
        }
        "RmsNorm" | "GemmaRmsNorm" => {
            read(call, &[&rows, &row]);
            float(call, EPS);
            call.write(dtype, &rows);
            call.write(F32, &kept);
        }
        "RmsNormGrad" => {
            read(call, &[&rows, &rows]);
            call.read(F32, &kept, INVERSE);
            read(call, &[&row]);
            call.write(dtype, &rows);
            call.write(F32, &row);
        }
        "AddRmsNorm" => {
            read(call, &[&rows, &rows, &row]);
            float(call, EPS);
            call.write(dtype, &rows);
            call.write(F32, &kept);
            call.write(dtype, &rows);
        }
        "InplaceAddRmsNorm" => {
            call.update(dtype, &rows, ANY);
            call.update(dtype, &rows, ANY);
            read(call, &[&row]);
            float(call, EPS);
            call.write(F32, &kept);
        }
        name @ ("GroupNorm" | "GroupNormSilu" | "GroupNormSiluV2") => {
            read(call, &[&batch, &channels, &channels]);
            if name == "GroupNorm" {
                batch.into_iter().for_each(|size| call.int(size));
            }
            call.int(GROUPS);
            float(call, EPS);
            if name == "GroupNormSiluV2" {
                call.flag(true);
            }
            call.write(dtype, &batch);
            call.write(dtype, &groups);
            call.write(dtype, &groups);
        }
        "GroupNormBackward" => {
            read(call, &[&batch, &batch]);
            moments(call, dtype, &groups);
            read(call, &[&channels]);
            batch.into_iter().for_each(|size| call.int(size));
            call.int(GROUPS);
            all(call);
            call.write(dtype, &batch);
            call.write(dtype, &channels);
            call.write(dtype, &channels);
        }
        "BatchNorm" => {
            read(call, &[&batch, &channels, &channels]);
            call.update(F32, &channels, MEAN);
            call.update(F32, &channels, INVERSE);
            call.flag(true);
            float(call, 0.25);
            float(call, EPS);
            call.write(dtype, &batch);
            call.write(F32, &channels);
            call.write(F32, &channels);
        }
        name @ ("BatchNormBackward" | "FastBatchNormBackward") => {
            read(call, &[&batch, &batch, &channels]);
            moments(call, F32, &channels);
            moments(call, F32, &channels);
            call.flag(true);
            float(call, EPS);
            all(call);
            if name == "FastBatchNormBackward" {
                call.int(0);
            }
            call.write(dtype, &batch);
            call.write(F32, &channels);
            call.write(F32, &channels);
        }
        "BatchNormStats" => {
            read(call, &[&batch]);
            float(call, EPS);
            call.write(F32, &channels);
            call.write(F32, &channels);
        }
        "BatchNormElemt" => {
            read(call, &[&batch, &channels, &channels]);
            moments(call, F32, &channels);
            float(call, EPS);
            call.write(dtype, &batch);
        }
        "BatchNormReduce" => {
            read(call, &[&[batch[0], batch[1], batch[2], 3]]);
            call.write(F32, &channels);
            call.write(F32, &channels);
        }
        "BatchNormGatherStatsWithCounts" => {
            let parts = [2, channels[0]];
            read(call, &[&batch]);
            moments(call, F32, &parts);
            call.update(F32, &channels, MEAN);
            call.update(F32, &channels, INVERSE);
            float(call, 0.25);
            float(call, EPS);
            call.read(F32, &[2], Domain::Whole(2, 9));
            call.write(F32, &channels);
            call.write(F32, &channels);
        }
        "BatchNormReduceBackward" => {
            read(call, &[&batch, &batch]);
            moments(call, F32, &channels);
            read(call, &[&channels]);
            (0..3).for_each(|_| call.flag(true));
            (0..4).for_each(|_| call.write(F32, &channels));
        }
        "BatchNormElemtBackward" => {
            read(call, &[&batch, &batch]);
            moments(call, F32, &channels);
            read(call, &[&channels]);
            call.read(F32, &channels, ANY);
            call.read(F32, &channels, ANY);
            call.read_numbers(DType::I32, &[2], &[10, 20]);
            call.write(dtype, &batch);
        }
        "InstanceNorm" => {
            let sizes = [batch[0], batch[1], batch[2], 3];
            let kept = [batch[0], batch[1], 1, 1];
            read(call, &[&sizes, &channels, &channels]);
            call.push(Argument::Text(c"NCHW".to_owned()));
            float(call, EPS);
            call.write(dtype, &sizes);
            call.write(dtype, &kept);
            call.write(dtype, &kept);
        }
        "EmbeddingRenorm" => {
            call.update(dtype, &rows, ANY);
            call.read_numbers(I64, &[3], &[2, 0, 2]);
            float(call, 5.0);
            float(call, 2.0);
        }
        "Renorm" | "InplaceRenorm" => {
            call.own(dtype, &rows, ANY);
            call.scalar(F32, 2.0);
            call.int(0);
            call.scalar(F32, 5.0);
            call.out(dtype, &rows);
        }
        _ => call.unserved(),
    }
}
