//! Functions of the elements along axes: reductions, running sums, order.

use aclnn::Tensor;
use aclnn::ops::{self, Reduction, SearchSorted, Select, Sort, TopK};

use super::function::functions;
use super::operation::{Direct, Results as _};

functions! {
    sum(own: tensor, axes: axes = "..", keep_dims: bool = "false")[ReduceSum] => along(ops::sum(own), &axes, keep_dims);
    nansum(own: tensor, axes: axes = "..", keep_dims: bool = "false")[ReduceNansum] =>
        along(ops::nansum(own), &axes, keep_dims);
    mean(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Mean MeanV2] =>
        along(ops::mean(own), &axes, keep_dims);
    prod(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Prod ProdDim] =>
        along(ops::prod(own), &axes, keep_dims);
    max(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Amax Max MaxV2] =>
        along(ops::max(own), &axes, keep_dims);
    min(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Amin Min] => along(ops::min(own), &axes, keep_dims);
    min_max(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Aminmax AminmaxDim AminmaxAll] =>
        along(ops::min_max(own), &axes, keep_dims);
    argmax(own: tensor, axes: axes = "..", keep_dims: bool = "false")[ArgMax] =>
        along(ops::argmax(own), &axes, keep_dims);
    argmin(own: tensor, axes: axes = "..", keep_dims: bool = "false")[ArgMin] =>
        along(ops::argmin(own), &axes, keep_dims);
    max_dim(own: tensor, axes: axes = "-1", keep_dims: bool = "false")[MaxDim] =>
        along(ops::max_dim(own), &axes, keep_dims);
    min_dim(own: tensor, axes: axes = "-1", keep_dims: bool = "false")[MinDim] =>
        along(ops::min_dim(own), &axes, keep_dims);
    all(own: tensor, axes: axes = "..", keep_dims: bool = "false")[All] => along(ops::all(own), &axes, keep_dims);
    any(own: tensor, axes: axes = "..", keep_dims: bool = "false")[Any] => along(ops::any(own), &axes, keep_dims);
    var(own: tensor, axes: axes = "..", keep_dims: bool = "false", correction: i64 = "1")[Var VarCorrection] =>
        along(ops::var(own).correction(correction), &axes, keep_dims);
    var_mean(own: tensor, axes: axes = "..", keep_dims: bool = "false", correction: i64 = "1")[VarMean] =>
        along(ops::var_mean(own).correction(correction), &axes, keep_dims);
    std(own: tensor, axes: axes = "..", keep_dims: bool = "false", correction: i64 = "1")[Std] =>
        along(ops::std(own).correction(correction), &axes, keep_dims);
    std_mean(own: tensor, axes: axes = "..", keep_dims: bool = "false", correction: i64 = "1")[StdMeanCorrection] =>
        along(ops::std_mean(own).correction(correction), &axes, keep_dims);
    norm(own: tensor, order: f64 = "2", axes: axes = "..", keep_dims: bool = "false")[Norm LinalgVectorNorm] =>
        along(ops::norm(own, order), &axes, keep_dims);
    logsumexp(own: tensor, axes: axes = "..", keep_dims: bool = "false")[LogSumExp] =>
        along(ops::logsumexp(own), &axes, keep_dims);
    log_sum(own: tensor, axes: axes = "..", keep_dims: bool = "false")[ReduceLogSum] =>
        along(ops::log_sum(own), &axes, keep_dims);

    cumsum(own: tensor, axis: axis = "-1", exclusive: bool = "false", reverse: bool = "false")[Cumsum CumsumV2] => {
        let sum = ops::cumsum(own, axis);
        let sum = if exclusive { sum.exclusive() } else { sum };
        if reverse { sum.reverse() } else { sum }
    };
    cumprod(own: tensor, axis: axis = "-1")[Cumprod] => ops::cumprod(own, axis);
    softmax(own: tensor, axis: axis = "-1")[Softmax] => ops::softmax(own, axis);
    log_softmax(own: tensor, axis: axis = "-1")[LogSoftmax] => ops::log_softmax(own, axis);
    cummax(own: tensor, axis: axis = "-1")[Cummax] => Direct(|| own.cummax(axis));
    cummin(own: tensor, axis: axis = "-1")[Cummin] => Direct(|| own.cummin(axis));

    sort(own: tensor, axis: axis = "-1", descending: bool = "false", stable: bool = "false")[Sort] =>
        sorted(own, axis, descending, stable);
    argsort(own: tensor, axis: axis = "-1", descending: bool = "false", stable: bool = "false")[Argsort] => {
        let sort = sorted(own, axis, descending, stable);
        Direct(move || sort.indices())
    };
    topk(own: tensor, k: size, axis: axis = "-1", smallest: bool = "false", unsorted: bool = "false")[Topk] => {
        let top = ops::topk(own, k, axis);
        let top = if smallest { TopK::smallest(top) } else { top };
        if unsorted { TopK::unsorted(top) } else { top }
    };
    kth_value(own: tensor, k: size, axis: axis = "-1", keep_dims: bool = "false")[Kthvalue] =>
        selected(ops::kth_value(own, k, axis), keep_dims);
    median(own: tensor)[Median] => Direct(|| own.median());
    nan_median(own: tensor)[NanMedian] => Direct(|| own.nan_median());
    median_dim(own: tensor, axis: axis = "-1", keep_dims: bool = "false")[MedianDim] =>
        selected(ops::median_dim(own, axis), keep_dims);
    nan_median_dim(own: tensor, axis: axis = "-1", keep_dims: bool = "false")[NanMedianDim] =>
        selected(ops::nan_median_dim(own, axis), keep_dims);
    search_sorted(sequence: tensor, values: operand, sorter: optional_tensor, right: bool = "false")
        [SearchSorted SearchSorteds] => {
        let search = ops::search_sorted(sequence, values);
        let search = match sorter { Some(sorter) => search.sorter(sorter), None => search };
        if right { SearchSorted::right(search) } else { search }
    };
    bucketize(own: tensor, boundaries: tensor, right: bool = "false")[Bucketize] => {
        let search = ops::bucketize(own, boundaries);
        if right { SearchSorted::right(search) } else { search }
    };
    unique(own: tensor, axis: optional_int, inverse: bool = "false", counts: bool = "false")
        [Unique Unique2 UniqueDim] => {
        let unique = ops::unique(own);
        let unique = match axis { Some(axis) => unique.axis(axis), None => unique };
        distinct(unique, inverse, counts)
    };
    unique_consecutive(own: tensor, axis: optional_int, inverse: bool = "false", counts: bool = "false")
        [UniqueConsecutive] => {
        let unique = ops::unique_consecutive(own);
        let unique = match axis { Some(axis) => unique.axis(axis), None => unique };
        distinct(unique, inverse, counts)
    };
    bincount(own: tensor, weights: optional_tensor, at_least: size = "0")[Bincount] => Direct(|| match weights {
        Some(weights) => own.bincount_weighted(weights, at_least),
        None => own.bincount(at_least),
    });
    histc(own: tensor, bins: size = "100", min: f64 = "0", max: f64 = "0")[Histc] =>
        Direct(|| own.histc(bins, min, max));
}

fn along<'a, const RESULTS: usize, const CORRECTED: bool>(
    reduction: Reduction<'a, RESULTS, CORRECTED>,
    axes: &[i64],
    keep_dims: bool,
) -> Reduction<'a, RESULTS, CORRECTED> {
    let reduction = reduction.axes(axes);
    if keep_dims { reduction.keep_dims() } else { reduction }
}

fn sorted(own: &Tensor, axis: i64, descending: bool, stable: bool) -> Sort<'_> {
    let sort = ops::sort(own, axis);
    let sort = if descending { sort.descending() } else { sort };
    if stable { sort.stable() } else { sort }
}

fn selected(select: Select<'_>, keep_dims: bool) -> Select<'_> {
    if keep_dims { select.keep_dims() } else { select }
}

/// The different elements, then where each went, then how many there were, as asked for.
fn distinct(
    unique: ops::Unique<'_>,
    inverse: bool,
    counts: bool,
) -> Direct<impl FnOnce() -> aclnn::Result<Vec<Tensor>>> {
    Direct(move || {
        Ok(match (inverse, counts) {
            (false, false) => vec![unique.run()?],
            (true, false) => unique.run_with_inverse()?.into_tensors(),
            (false, true) => unique.run_with_counts()?.into_tensors(),
            (true, true) => unique.run_with_inverse_and_counts()?.into_tensors(),
        })
    })
}
