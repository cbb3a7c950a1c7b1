//! Functions of all elements along one axis, with a result for each of them: running sums and extremes, softmax.

/// Calls `$callback!` with the scans.
#[macro_export]
macro_rules! scan_operators {
    ($callback:path) => {
        $callback! {
            scan, AlongAxes:

            /// The cumulative sums of the elements, computed in the type of the result
            cumsum (
                takes: types("float f64 int uint bool complex"), output: Any(types("float f64 int complex")),
                cores: types("float i32 u8@950 i8@950 i64@950")
            ) {
                Cumsum = "aclnnCumsum"(self_: tensor, dim: i64, dtype: dtype, out: out);
            }

            /// The cumulative sums of the elements from the start or from the end, with or without the element itself
            cumsum_v2 (takes: types("float f64 int complex"), output: Own, cores: types("float i32 u8@950 i8@950 i64@950")) {
                CumsumV2 = "aclnnCumsumV2"(self_: tensor, dim: i64, exclusive: bool, reverse: bool, out: out);
            }

            /// The cumulative products of the elements, computed in the type of the result
            cumprod (
                takes: types("f32 f16 f64 bf16 int uint"), output: Any(types("f32 f16 f64 bf16 int uint")), cores: types("")
            ) {
                Cumprod = "aclnnCumprod"(input: tensor, dim: scalar, dtype: dtype, out: out);
                InplaceCumprod = "aclnnInplaceCumprod"(input: inout, dim: scalar);
            }

            /// The cumulative maximum of the elements, and its position, the last one if there are several
            cummax (takes: types("float f64 int bool"), output: Any(types("float f64 int bool")), cores: types("")) {
                Cummax = "aclnnCummax"(self_: tensor, dim: i64, valuesOut: out, indicesOut: out);
            }

            /// The cumulative minimum of the elements, and its position, the last one if there are several
            cummin (
                takes: types("f32 f16 f64 bf16 int bool"), output: Any(types("f32 f16 f64 bf16 int bool")),
                cores: types("float i32 i8@910,310P,910B u8@910,310P,910B")
            ) {
                Cummin = "aclnnCummin"(self_: tensor, dim: i64, valuesOut: out, indicesOut: out);
            }

            /// The softmax: the exponentials of the elements, divided by their sum
            softmax (takes: types("float f64"), output: Any(types("float f64")), cores: types("float")) {
                Softmax = "aclnnSoftmax"(self_: tensor, dim: i64, out: out);
            }

            /// The logarithms of the softmax
            log_softmax (takes: types("float f64"), output: Any(types("float f64")), cores: types("float")) {
                LogSoftmax = "aclnnLogSoftmax"(self_: tensor, dim: i64, out: out);
            }

            /// The gradient of the softmax from its result `output`: `output (gradOutput − Σ gradOutput output)`
            softmax_backward (
                takes: types("float"), output: Any(types("float f64 int uint bool complex")), cores: types("float")
            ) {
                SoftmaxBackward = "aclnnSoftmaxBackward"(gradOutput: tensor, output: tensor, dim: i64, out: out);
            }

            /// The gradient of the log-softmax from its result `output`: `gradOutput − e^output Σ gradOutput`
            log_softmax_backward (
                takes: types("float"), output: Any(types("float f64 int uint bool complex")), cores: types("float")
            ) {
                LogSoftmaxBackward = "aclnnLogSoftmaxBackward"(gradOutput: tensor, output: tensor, dim: i64, out: out);
            }
        }
    };
}

scan_operators!(super::info::family);
