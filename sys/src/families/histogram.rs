//! Histograms.

/// Calls `$callback!` with the histograms.
#[macro_export]
macro_rules! histogram_operators {
    ($callback:path) => {
        $callback! {
            histogram, AlongAxes:

            /// The number of times that each of the numbers 0, 1, 2, … occurs, or the sum of the weights of those elements
            bincount (takes: types("int"), output: Any(types("f32 f64 i32 i64")), cores: types("f32@950")) {
                Bincount = "aclnnBincount"(self_: tensor, weights: tensor_or_null, minlength: i64, out: out);
            }

            /// The number of elements in each of `bins` equal parts of the range from `min` to `max`
            histc (
                takes: types("f32 f16 i64 i32 i16 i8 u8"), output: Any(types("f32 f16 i64 i32 i16 i8 u8")),
                cores: types("f32 f16@310P,910B,950 i64@310P,910B,950 i32@310P,910B,950 i16@310P,910B,950 i8@310P,910B,950 u8@310P,910B,950")
            ) {
                Histc = "aclnnHistc"(self_: tensor, bins: i64, min: scalar, max: scalar, out: out);
            }
        }
    };
}

histogram_operators!(super::info::family);
