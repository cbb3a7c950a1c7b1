//! Functions of two operands, of which the second may be a scalar, also in place: quotients rounded down, remainders,
//! powers.
//!
//! CANN's description has no element types for Fmod, Remainder and XLogY: those here are the types that PyTorch takes.

/// Calls `$callback!` with the functions of two operands.
#[macro_export]
macro_rules! binary_operators {
    ($callback:path) => {
        $callback! {
            binary, Promote:

            /// `self / other` rounded down: for floats ⌊self / other⌋, so that a division by zero is infinite or NaN; bool counts as f32. An integer divided by zero fails the stream of the emulator; what an AI core makes of it is not described
            floor_divide (
                example: f32 [7.0, -7.0], [2.0, 2.0] => f32 [3.0, -4.0]; takes: types("float f64 int bool"), scalars: Divisor, computes: Number, ..PROMOTE
            ) {
                FloorDivide = "aclnnFloorDivide"(self_: tensor, other: tensor, out: out);
                FloorDivides = "aclnnFloorDivides"(self_: tensor, other: scalar, out: out);
                InplaceFloorDivide = "aclnnInplaceFloorDivide"(self_: inout, other: tensor);
                InplaceFloorDivides = "aclnnInplaceFloorDivides"(self_: inout, other: scalar);
            }

            /// The remainder of a division whose quotient is rounded towards zero: it has the sign of `self`, as `%` of Rust. The remainder of an integer divided by zero is not described; on the emulator it is that integer
            fmod (example: f32 [7.0, -7.0], [3.0, 3.0] => f32 [1.0, -1.0]; takes: types("float f64 int"), scalars: Lighter, ..PROMOTE) {
                FmodTensor = "aclnnFmodTensor"(self_: tensor, other: tensor, out: out);
                FmodScalar = "aclnnFmodScalar"(self_: tensor, other: scalar, out: out);
                InplaceFmodTensor = "aclnnInplaceFmodTensor"(self_: inout, other: tensor);
                InplaceFmodScalar = "aclnnInplaceFmodScalar"(self_: inout, other: scalar);
            }

            /// The remainder of a division whose quotient is rounded down: it has the sign of `other`, as `%` of Python. The remainder of an integer divided by zero is not described; on the emulator it is that integer
            remainder (example: f32 [7.0, -7.0], [3.0, 3.0] => f32 [1.0, 2.0]; takes: types("float f64 int"), scalars: Lighter, ..PROMOTE) {
                RemainderTensorTensor = "aclnnRemainderTensorTensor"(self_: tensor, other: tensor, out: out);
                RemainderTensorScalar = "aclnnRemainderTensorScalar"(self_: tensor, other: scalar, out: out);
                InplaceRemainderTensorTensor = "aclnnInplaceRemainderTensorTensor"(self_: inout, other: tensor);
                InplaceRemainderTensorScalar = "aclnnInplaceRemainderTensorScalar"(self_: inout, other: scalar);
                RemainderScalarTensor = "aclnnRemainderScalarTensor"(self_: scalar, other: tensor, out: out);
            }

            /// `self` to the power of `other`. Powers of integers wrap; with a negative exponent they are 0, except powers of 1 and −1. There is no power of two bool operands
            pow (
                also: "powf", "powi"; example: f32 [2.0, 9.0], [3.0, 0.5] => f32 [8.0, 3.0]; takes: types("float f64 int bool complex"), promoted: Some(types("f32 f16 f64 bf16 int complex")), scalars: Exponent, ..PROMOTE
            ) {
                PowTensorTensor = "aclnnPowTensorTensor"(self_: tensor, exponent: tensor, out: out);
                PowTensorScalar = "aclnnPowTensorScalar"(self_: tensor, exponent: scalar, out: out_const);
                InplacePowTensorTensor = "aclnnInplacePowTensorTensor"(self_: inout_const, exponent: tensor);
                InplacePowTensorScalar = "aclnnInplacePowTensorScalar"(self_: inout_const, exponent: scalar);
                PowScalarTensor = "aclnnPowScalarTensor"(self_: scalar, exponent: tensor, out: out_const);
            }

            /// `self · log(other)`, and 0 where `self` is 0 and `other` is a number
            xlogy (
                example: f32 [2.0, 0.0], [1.0, 0.0] => f32 [0.0, 0.0]; takes: types("float f64 int bool"), scalars: Lighter, computes: Float, ..PROMOTE
            ) {
                XLogYTensor = "aclnnXLogYTensor"(self_: tensor, other: tensor, out: out);
                XLogYScalarOther = "aclnnXLogYScalarOther"(self_: tensor, other: scalar, out: out);
                InplaceXLogYTensor = "aclnnInplaceXLogYTensor"(self_: inout, other: tensor);
                InplaceXLogYScalarOther = "aclnnInplaceXLogYScalarOther"(self_: inout, other: scalar);
                XLogYScalarSelf = "aclnnXLogYScalarSelf"(self_: scalar, other: tensor, out: out);
            }
        }
    };
}

binary_operators!(super::info::family);
