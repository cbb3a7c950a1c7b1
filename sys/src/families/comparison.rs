//! Comparisons and bitwise operations: two operands that are promoted to one type, the second a tensor or a scalar.

/// Calls `$callback!` with the comparisons.
#[macro_export]
macro_rules! comparison_operators {
    ($callback:path) => {
        $callback! {
            comparison, Promote:

            /// True where the elements are equal; NaN equals nothing
            eq (
                also: "equal_elem"; example: f32 [1.0, 2.0], [2.0, 2.0] => bool [false, true]; takes: types("float f64 int bool complex u32@910 u64@910,950"), output: Some(types("float f64 int bool complex u32@910 u64@910,950")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                EqTensor = "aclnnEqTensor"(self_: tensor, other: tensor, out: out);
                EqScalar = "aclnnEqScalar"(self_: tensor, other: scalar, out: out);
                InplaceEqTensor = "aclnnInplaceEqTensor"(self_: inout_const, other: tensor);
                InplaceEqScalar = "aclnnInplaceEqScalar"(self_: inout_const, other: scalar);
            }

            /// True where the elements differ; NaN differs from everything
            ne (
                also: "not_equal"; example: f32 [1.0, 2.0], [2.0, 2.0] => bool [true, false]; takes: types("float f64 int bool complex u64@950"), output: Some(types("float f64 int bool complex u64@950")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                NeTensor = "aclnnNeTensor"(self_: tensor, other: tensor, out: out);
                NeScalar = "aclnnNeScalar"(self_: tensor, other: scalar, out: out);
                InplaceNeTensor = "aclnnInplaceNeTensor"(self_: inout, other: tensor);
                InplaceNeScalar = "aclnnInplaceNeScalar"(self_: inout, other: scalar);
            }

            /// True where `self` is less than `other`
            lt (
                also: "less", "lower"; example: f32 [1.0, 2.0], [2.0, 2.0] => bool [true, false]; takes: types("float f64 int uint bool"), output: Some(types("float f64 int uint bool")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                LtTensor = "aclnnLtTensor"(self_: tensor, other: tensor, out: out);
                LtScalar = "aclnnLtScalar"(self_: tensor, other: scalar, out: out);
                InplaceLtTensor = "aclnnInplaceLtTensor"(self_: inout_const, other: tensor);
                InplaceLtScalar = "aclnnInplaceLtScalar"(self_: inout_const, other: scalar);
            }

            /// True where `self` is less than or equal to `other`
            le (
                also: "less_equal", "lower_equal"; example: f32 [1.0, 3.0], [2.0, 2.0] => bool [true, false]; takes: types("float f64 int u16 bool u64@950"), output: Some(types("float f64 int u16 bool u64@950")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                LeTensor = "aclnnLeTensor"(self_: tensor, other: tensor, out: out);
                LeScalar = "aclnnLeScalar"(self_: tensor, other: scalar, out: out);
                InplaceLeTensor = "aclnnInplaceLeTensor"(self_: inout, other: tensor);
                InplaceLeScalar = "aclnnInplaceLeScalar"(self_: inout, other: scalar);
            }

            /// True where `self` is greater than `other`
            gt (
                also: "greater"; example: f32 [1.0, 3.0], [2.0, 2.0] => bool [false, true]; takes: types("float f64 int uint bool"), output: Some(types("float f64 int uint bool")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                GtTensor = "aclnnGtTensor"(self_: tensor, other: tensor, out: out);
                GtScalar = "aclnnGtScalar"(self_: tensor, other: scalar, out: out);
                InplaceGtTensor = "aclnnInplaceGtTensor"(self_: inout_const, other: tensor);
                InplaceGtScalar = "aclnnInplaceGtScalar"(self_: inout, other: scalar);
            }

            /// True where `self` is greater than or equal to `other`
            ge (
                also: "greater_equal"; example: f32 [1.0, 2.0], [2.0, 2.0] => bool [false, true]; takes: types("float f64 int uint"), promoted: Some(types("float f64 int uint bool")),
                beside_scalar: Some(types("float f64 int uint bool")), output: Some(types("float f64 int uint bool")), scalars: Compared, gives: Bool, ..PROMOTE
            ) {
                GeTensor = "aclnnGeTensor"(self_: tensor, other: tensor, out: out);
                GeScalar = "aclnnGeScalar"(self_: tensor, other: scalar, out: out);
                InplaceGeTensor = "aclnnInplaceGeTensor"(self_: inout, other: tensor);
                InplaceGeScalar = "aclnnInplaceGeScalar"(self_: inout, other: scalar);
            }

            /// `self & other`, bit by bit; the logical and for bool
            bitwise_and (example: i32 [12, 7], [10, 1] => i32 [8, 1]; takes: types("int u16 bool"), ..PROMOTE) {
                BitwiseAndTensor = "aclnnBitwiseAndTensor"(self_: tensor, other: tensor, out: out);
                BitwiseAndScalar = "aclnnBitwiseAndScalar"(self_: tensor, other: scalar, out: out);
                InplaceBitwiseAndTensor = "aclnnInplaceBitwiseAndTensor"(self_: inout_const, other: tensor);
                InplaceBitwiseAndScalar = "aclnnInplaceBitwiseAndScalar"(self_: inout_const, other: scalar);
            }

            /// `self | other`, bit by bit; the logical or for bool
            bitwise_or (example: i32 [12, 6], [10, 1] => i32 [14, 7]; takes: types("int u16 bool u32 u64"), ..PROMOTE) {
                BitwiseOrTensor = "aclnnBitwiseOrTensor"(self_: tensor, other: tensor, out: out);
                BitwiseOrScalar = "aclnnBitwiseOrScalar"(self_: tensor, other: scalar, out: out);
                InplaceBitwiseOrTensor = "aclnnInplaceBitwiseOrTensor"(self_: inout, other: tensor);
                InplaceBitwiseOrScalar = "aclnnInplaceBitwiseOrScalar"(self_: inout, other: scalar);
            }

            /// `self ^ other`, bit by bit; the logical exclusive or for bool
            bitwise_xor (example: i32 [12, 7], [10, 1] => i32 [6, 6]; takes: types("int bool uint@950"), ..PROMOTE) {
                BitwiseXorTensor = "aclnnBitwiseXorTensor"(self_: tensor, other: tensor, out: out);
                BitwiseXorScalar = "aclnnBitwiseXorScalar"(self_: tensor, other: scalar, out: out);
                InplaceBitwiseXorTensor = "aclnnInplaceBitwiseXorTensor"(self_: inout, other: tensor);
                InplaceBitwiseXorScalar = "aclnnInplaceBitwiseXorScalar"(self_: inout, other: scalar);
            }

            /// `self · 2^other` of integers: the bits shifted left by `other` places, filled with zeros. A shift beyond the width of the type gives 0
            left_shift (also: "bitwise_left_shift"; example: i32 [1, -3], [3, 1] => i32 [8, -6]; takes: types("int uint"), empty_first: true, ..PROMOTE) {
                LeftShift = "aclnnLeftShift"(self_: tensor, shift_bits: tensor, out: out) since "9.0.0";
                LeftShifts = "aclnnLeftShifts"(self_: tensor, shift_bits: scalar, out: out) since "9.0.0";
            }
        }
    };
}

comparison_operators!(super::info::family);
