//! Sorting, selection by rank, search in sorted elements, unique elements.

/// Calls `$callback!` with the operators that order elements.
#[macro_export]
macro_rules! sorting_operators {
    ($callback:path) => {
        $callback! {
            sorting, Order:

            /// The elements along an axis in ascending or descending order, and the former position of each
            sort (
                takes: types("f32 f16 bf16 int bool uint@950"),
                values: Some(types("f32 f16 bf16 int bool uint@950 f64@910,310P,910B"))
            ) {
                Sort = "aclnnSort"(self_: tensor, stable: bool, dim: i64, descending: bool, values_out: out, indices_out: out);
            }

            /// The positions of the elements along an axis in ascending or descending order
            argsort (takes: types("float int uint@950"), ..ORDER) {
                Argsort = "aclnnArgsort"(self_: tensor, dim: i64, descending: bool, out: out);
            }

            /// The `k` greatest or smallest elements along an axis, and their positions
            topk (takes: types("float f64 int uint@950"), ..ORDER) {
                Topk = "aclnnTopk"(self_: tensor, k: i64, dim: i64, largest: bool, sorted: bool, values_out: out, indices_out: out);
            }

            /// The `k`-th smallest element along an axis, counted from one, and its position
            kth_value (takes: types("float int uint@950"), ..ORDER) {
                Kthvalue = "aclnnKthvalue"(self_: tensor, k: i64, dim: i64, keepdim: bool, values_out: out, indices_out: out);
            }

            /// The median of all elements, the lower one of two; NaN if one is NaN
            median (takes: types("float int"), ..ORDER) {
                Median = "aclnnMedian"(self_: tensor, values_out: out);
            }

            /// The median of the elements along an axis, the lower one of two, and its position
            median_dim (takes: types("float int"), ..ORDER) {
                MedianDim = "aclnnMedianDim"(self_: tensor, dim: i64, keep_dim: bool, values_out: out, indices_out: out);
            }

            /// The median of all elements that are not NaN
            nan_median (takes: types("float int"), ..ORDER) {
                NanMedian = "aclnnNanMedian"(self_: tensor, out: out);
            }

            /// The median of the elements along an axis that are not NaN, and its position
            nan_median_dim (takes: types("float int"), ..ORDER) {
                NanMedianDim = "aclnnNanMedianDim"(self_: tensor, dim: i64, keep_dim: bool, values_out: out, indices_out: out);
            }

            /// The position at which each element would be inserted into a sorted sequence
            search_sorted (takes: types("f32 f16 f64 int"), ..ORDER) {
                SearchSorted = "aclnnSearchSorted"(
                    sorted_sequence: tensor, self_: tensor, out_int32: bool, right: bool, sorter: tensor_or_null, out: out
                );
                SearchSorteds = "aclnnSearchSorteds"(
                    sorted_sequence: tensor, self_: scalar, out_int32: bool, right: bool, sorter: tensor_or_null, out: out
                );
            }

            /// The number of the interval between sorted boundaries in which each element lies
            bucketize (takes: types("f32 f16 bf16 int"), ..ORDER) {
                Bucketize = "aclnnBucketize"(self_: tensor, boundaries: tensor, out_int32: bool, right: bool, out: out);
            }

            /// The unique elements in ascending order, the position of each element among them, and the counts
            unique (takes: types("float f64 int uint bool"), ..ORDER) {
                Unique = "aclnnUnique"(self_: tensor, sorted: bool, return_inverse: bool, value_out: out, inverse_out: out);
                Unique2 = "aclnnUnique2"(
                    self_: tensor, sorted: bool, return_inverse: bool, return_counts: bool, value_out: out, inverse_out: out,
                    counts_out: out
                );
            }

            /// One element of each run of equal neighbours, the run of each element, and the lengths of the runs
            unique_consecutive (takes: types("float f64 int uint bool complex"), ..ORDER) {
                UniqueConsecutive = "aclnnUniqueConsecutive"(
                    self_: tensor, return_inverse: bool, return_counts: bool, dim: i64, value_out: out, inverse_out: out,
                    counts_out: out
                );
            }

            /// The unique slices along an axis in ascending order, the position of each slice among them, and the counts
            unique_dim (takes: types("float f64 int uint bool"), ..ORDER) {
                UniqueDim = "aclnnUniqueDim"(
                    self_: tensor, sorted: bool, return_inverse: bool, dim: i64, value_out: out, inverse_out: out, counts_out: out
                );
            }
        }
    };
}

sorting_operators!(super::info::family);
