//! Conversion of one tensor to another type or place: cast, copy.

/// Calls `$callback!` with the conversion operators.
#[macro_export]
macro_rules! conversion_operators {
    ($callback:path) => {
        $callback! {
            conversion, Convert:

            /// Every element of `self`, converted to `dtype`
            cast (
                takes: types("f32 f16 f64 int uint bool complex bf16@910B,950 c32@950 hif8@950 f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950 i4@950")
            ) {
                Cast = "aclnnCast"(self_: tensor, dtype: dtype, out: out);
            }

            /// `src`, broadcast and converted, written through the view `self`
            copy (
                takes: types("f32 f16 f64 bf16 int uint bool complex f8e5m2 f8e4m3fn hif8 f8e8m0")
            ) {
                InplaceCopy = "aclnnInplaceCopy"(self_: inout, src: tensor);
            }
        }
    };
}

conversion_operators!(super::info::family);
