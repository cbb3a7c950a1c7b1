//! Functions of the elements of several operands at one position, and tests whether elements are close, equal or
//! present.
//!
//! CANN's description has no element types for AddRelu, MaxN, MinN, AddN, Sum, Complex, Polar, BitwiseAndTensorOut and the two forms of IsIn:
//! the types here are those of similar functions: Maximum, Add, Real, BitwiseAndTensor and comparisons.

/// Calls `$callback!` with the functions of several operands.
#[macro_export]
macro_rules! n_ary_operators {
    ($callback:path) => {
        $callback! {
            n_ary, Promote:

            /// `self` where `condition` is true, and `other` elsewhere
            where_ (takes: types("f32 f16 bf16@310P,910B,950 f64 int uint bool complex"), ..PROMOTE) {
                SWhere = "aclnnSWhere"(condition: tensor, self_: tensor, other: tensor, out: out);
            }

            /// `self + value · tensor1 · tensor2`
            addcmul (takes: types("float f64 i8 u8 i32 i64"), ..PROMOTE) {
                Addcmul = "aclnnAddcmul"(self_: tensor, tensor1: tensor, tensor2: tensor, value: scalar, out: out);
                InplaceAddcmul = "aclnnInplaceAddcmul"(self_: inout_const, tensor1: tensor, tensor2: tensor, value: scalar);
            }

            /// `max(self + alpha · other, 0)`
            add_relu (takes: types("float f64 int"), ..PROMOTE) {
                AddRelu = "aclnnAddRelu"(self_: tensor, other: tensor, alpha: scalar_mut, out: out);
                InplaceAddRelu = "aclnnInplaceAddRelu"(selfRef: inout, other: tensor, alpha: scalar_mut);
            }

            /// `self + value · (tensor1 / tensor2)`, the quotient of integers rounded towards zero
            addcdiv (takes: types("float f64 i64"), ..PROMOTE) {
                Addcdiv = "aclnnAddcdiv"(self_: tensor, tensor1: tensor, tensor2: tensor, value: scalar, out: out_const);
                InplaceAddcdiv = "aclnnInplaceAddcdiv"(self_: inout_const, tensor1: tensor, tensor2: tensor, value: scalar);
            }

            /// `self + weight · (end − self)`
            lerp (takes: types("float"), ..PROMOTE) {
                Lerp = "aclnnLerp"(self_: tensor, end: tensor, weight: tensor, out: out);
                Lerps = "aclnnLerps"(self_: tensor, end: tensor, weight: scalar, out: out);
                InplaceLerp = "aclnnInplaceLerp"(self_: inout, end: tensor, weight: tensor);
                InplaceLerps = "aclnnInplaceLerps"(self_: inout, end: tensor, weight: scalar);
            }

            /// True where `|self − other| ≤ atol + rtol · |other|`, or both are the same infinity; optionally NaN is close to NaN
            is_close (takes: types("float f64 int bool"), gives: Bool, ..PROMOTE) {
                IsClose = "aclnnIsClose"(self_: tensor, other: tensor, rtol: f64, atol: f64, equal_nan: bool, out: out);
            }

            /// True where `|x1 − x2|` is less than a tolerance
            approximate_equal (takes: types("float@910B,950"), gives: Bool, ..PROMOTE) {
                ApproximateEqual = "aclnnApproximateEqual"(x1: tensor, x2: tensor, tolerance: f32, y: out);
            }

            /// True if both tensors have the same sizes and equal elements
            equal (takes: types("float f64 int uint bool"), gives: Bool, ..PROMOTE) {
                Equal = "aclnnEqual"(self_: tensor, other: tensor, out: out);
            }

            /// True where elements are equal to a number, or where they differ from it
            is_in_tensor_scalar (takes: types("float f64 int"), scalars: Compared, gives: Bool, ..PROMOTE) {
                IsInTensorScalar = "aclnnIsInTensorScalar"(element: tensor, test_element: scalar, assume_unique: bool, invert: bool, out: out);
            }

            /// True if a tensor has an element that is equal to a number, or if it has none
            is_in_scalar_tensor (takes: types("float f64 int"), scalars: Compared, gives: Bool, ..PROMOTE) {
                IsInScalarTensor = "aclnnIsInScalarTensor"(element: scalar, test_elements: tensor, assume_unique: bool, invert: bool, out: out);
            }

            /// The greatest of the elements; NaN if one is NaN
            max_n (takes: types("float f64 int"), ..PROMOTE) {
                MaxN = "aclnnMaxN"(tensors: tensors, out: out);
            }

            /// The smallest of the elements; NaN if one is NaN
            min_n (takes: types("float f64 int"), ..PROMOTE) {
                MinN = "aclnnMinN"(tensors: tensors, out: out);
            }

            /// The sum of the elements of all tensors, rounded once
            add_n (takes: types("float f64 int complex"), ..PROMOTE) {
                AddN = "aclnnAddN"(tensors: tensors, out: out) since "9.1.0";
                Sum = "aclnnSum"(tensors: tensors, out: out);
                SumV2 = "aclnnSumV2"(tensors: tensors, out: out);
            }

            /// The bitwise and of the elements; of bool the logical and
            bitwise_and_out (takes: types("int@950 u16@950 bool@950"), ..PROMOTE) {
                BitwiseAndTensorOut = "aclnnBitwiseAndTensorOut"(self_: tensor, other: tensor, out: out);
                InplaceBitwiseAndTensorOut = "aclnnInplaceBitwiseAndTensorOut"(self_: inout_const, other: tensor);
            }

            /// Complex numbers from their real and imaginary parts
            complex (takes: types("f32 f64"), ..PROMOTE) {
                Complex = "aclnnComplex"(real: tensor, imag: tensor, out: out);
            }

            /// Complex numbers from their absolute values, `input`, and their angles
            polar (takes: types("f32 f64"), ..PROMOTE) {
                Polar = "aclnnPolar"(input: tensor, angle: tensor, out: out);
            }

            /// `self + alpha · other`, where `self` is a number and `other` a tensor
            add_v3 (takes: types("f32@950 f16@950 bf16@950 i8@950 i32@950"), scalars: Lighter, ..PROMOTE) {
                AddV3 = "aclnnAddV3"(self_: scalar, other: tensor, alpha: scalar, out: out);
                InplaceAddV3 = "aclnnInplaceAddV3"(self_: scalar, other: inout_const, alpha: scalar);
            }

            /// `x²`
            square (takes: types("f32@950 f16@950 bf16@950 i32@950 i64@950"), ..PROMOTE) {
                Square = "aclnnSquare"(self_: tensor, out: out);
            }
        }
    };
}

n_ary_operators!(super::info::family);
