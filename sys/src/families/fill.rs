//! Constants written to a whole tensor.

/// Calls `$callback!` with the fill operators.
#[macro_export]
macro_rules! fill_operators {
    ($callback:path) => {
        $callback! {
            fill, Fill:

            /// `value`, converted to the type of `self`, in every element
            fill_scalar (takes: types("float f64 int bool complex uint@910B,950")) {
                InplaceFillScalar = "aclnnInplaceFillScalar"(self_: inout, value: scalar);
            }

            /// Zero in every element
            zero (takes: types("f32 f16 f64 bf16 int u16 bool complex")) {
                InplaceZero = "aclnnInplaceZero"(self_: inout);
            }

            /// One in every element
            one (takes: types("float f64 int bool")) {
                InplaceOne = "aclnnInplaceOne"(self_: inout_const);
            }
        }
    };
}

fill_operators!(super::info::family);
