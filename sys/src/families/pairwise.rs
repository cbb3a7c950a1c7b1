//! Functions of the elements of two tensors.

/// Calls `$callback!` with the operators of two tensors.
#[macro_export]
macro_rules! pairwise_operators {
    ($callback:path) => {
        $callback! {
            pairwise, Promote:

            /// The greater element; NaN if one is NaN
            maximum (also: "max_pair"; example: f32 [1.0, 3.0], [2.0, 2.0] => f32 [2.0, 3.0]; takes: types("float f64 int bool"), scalars: Compared, computes: Extreme, ..PROMOTE) {
                Maximum = "aclnnMaximum"(self_: tensor, other: tensor, out: out);
            }

            /// The smaller element; NaN if one is NaN
            minimum (also: "min_pair"; example: f32 [1.0, 3.0], [2.0, 2.0] => f32 [1.0, 2.0]; takes: types("float f64 int bool"), scalars: Compared, computes: Extreme, ..PROMOTE) {
                Minimum = "aclnnMinimum"(self_: tensor, other: tensor, out: out);
            }

            /// True where both elements are true; every number but zero is true
            logical_and (
                also: "bool_and"; example: f32 [1.0, 0.0], [2.0, 2.0] => bool [true, false]; takes: types("f32 f16 f64 bf16 int bool complex"), computes: Truth, gives: Bool, ..PROMOTE
            ) {
                LogicalAnd = "aclnnLogicalAnd"(self_: tensor, other: tensor, out: out);
                InplaceLogicalAnd = "aclnnInplaceLogicalAnd"(self_: inout, other: tensor);
            }

            /// True where at least one element is true; every number but zero is true
            logical_or (
                also: "bool_or"; example: f32 [1.0, 0.0], [0.0, 0.0] => bool [true, false]; takes: types("f32 f16 f64 bf16 int bool complex"),
                output: Some(types("f32 f16 f64 bf16 int uint bool complex")), computes: Truth, gives: Bool, ..PROMOTE
            ) {
                LogicalOr = "aclnnLogicalOr"(self_: tensor, other: tensor, out: out);
                InplaceLogicalOr = "aclnnInplaceLogicalOr"(self_: inout, other: tensor);
            }

            /// True where exactly one element is true; every number but zero is true
            logical_xor (
                also: "bool_xor"; example: f32 [1.0, 0.0], [2.0, 2.0] => bool [false, true]; takes: types("f32 f16 f64 bf16 int bool complex"),
                output: Some(types("f32 f16 f64 bf16 int bool complex")), computes: Truth, gives: Bool, ..PROMOTE
            ) {
                LogicalXor = "aclnnLogicalXor"(self_: tensor, other: tensor, out: out);
            }

            /// The greatest common divisor of the magnitudes; 0 for two zeros
            gcd (
                example: i32 [12, -9], [18, 6] => i32 [6, 3]; takes: types("int bool"), promoted: Some(types("i32 i16@310P,910B,950 i64@310P,910B,950 i8@950 u8@950")),
                output: Some(types("int uint")), ..PROMOTE
            ) {
                Gcd = "aclnnGcd"(self_: tensor, other: tensor, out: out);
            }

            /// `log(e^self + e^other)`, without overflow of intermediate results. Operands of f64 are computed in f32
            logaddexp (
                example: f32 [0.0, 1000.0], [0.0, 0.0] => f32 [std::f32::consts::LN_2, 1000.0]; takes: types("float f64 int uint bool"), output: Some(types("float")), computes: InOutput, ..PROMOTE
            ) {
                LogAddExp = "aclnnLogAddExp"(self_: tensor, other: tensor, out: out);
            }

            /// `log2(2^self + 2^other)`, without overflow of intermediate results. Operands of f64 are computed in f32
            logaddexp2 (
                example: f32 [0.0, 1000.0], [0.0, 0.0] => f32 [1.0, 1000.0]; takes: types("float f64 int uint bool"), output: Some(types("float")), computes: InOutput, ..PROMOTE
            ) {
                LogAddExp2 = "aclnnLogAddExp2"(self_: tensor, other: tensor, out: out);
            }

            /// `self / 2^other` of integers, rounded down: the bits shifted right by `other` places. A negative shift counts as 0, and a shift beyond the type as the greatest shift of the type
            right_shift (also: "bitwise_right_shift"; example: i32 [8, -3], [3, 1] => i32 [1, -2]; takes: types("int uint"), empty_first: true, ..PROMOTE) {
                RightShift = "aclnnRightShift"(input: tensor, shift_bits: tensor, out: out);
            }

            /// `self · log(1 + other)`, exact also near zero, and 0 where `self` is 0 and `other` is a number. The types are those of XLogY, as CANN's description has none
            xlog1py (
                example: f32 [2.0, 0.0], [1.0, -1.0] => f32 [1.3862944, 0.0]; takes: types("float f64 int bool"), computes: Float, ..PROMOTE
            ) {
                Xlog1py = "aclnnXlog1py"(x: tensor, y: tensor, z: out_const) since "9.1.0";
            }

            /// The angle of the point with the ordinate `self` and the abscissa `other`, from −π to π
            atan2 (also: "arctan2"; example: f32 [0.0, 1.0], [1.0, 0.0] => f32 [0.0, std::f32::consts::FRAC_PI_2]; takes: types("float f64 int bool"), casts: true, computes: Float, ..PROMOTE) {
                Atan2 = "aclnnAtan2"(self_: tensor, other: tensor, out: out);
                InplaceAtan2 = "aclnnInplaceAtan2"(self_: inout, other: tensor_mut);
            }
        }
    };
}

pairwise_operators!(super::info::family);
