//! Constants written to a whole tensor.

/// Calls `$callback!` with the fill operators.
#[macro_export]
macro_rules! fill_operators {
    ($callback:path) => {
        $callback! {
            fill, Fill:

            /// `value`, converted to the type of `self`, in every element
            fill_scalar in "aclnn_fill_scalar.h" {
                InplaceFillScalar(self_: inout, value: scalar);
            }

            /// Zero in every element
            zero in "aclnn_zero.h" {
                InplaceZero(self_: inout);
            }

            /// One in every element
            one in "aclnn_ones.h" {
                InplaceOne(self_: inout_const);
            }
        }
    };
}

fill_operators!(super::info::family);
