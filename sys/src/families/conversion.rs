//! Conversion of one tensor to another type or place: cast, copy.

/// Calls `$callback!` with the conversion operators.
#[macro_export]
macro_rules! conversion_operators {
    ($callback:path) => {
        $callback! {
            conversion, Convert:

            /// Every element of `self`, converted to `dtype`
            cast in "aclnn_cast.h" {
                Cast(self_: tensor, dtype: dtype, out: out);
            }

            /// `src`, broadcast and converted, written through the view `self`
            copy in "aclnn_copy.h" {
                InplaceCopy(self_: inout, src: tensor);
            }
        }
    };
}

conversion_operators!(super::info::family);
