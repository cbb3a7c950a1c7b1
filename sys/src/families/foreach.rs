//! Functions of the tensors of lists, one tensor after the other, as optimizers apply them to all parameters of a
//! network.
//!
//! CANN's description has no element types for most functions of one tensor and for the lists of Maximum, Minimum and Pow:
//! those here are f32, f16 and bf16, and i32 for functions whose results are integers.

/// Calls `$callback!` with the functions of lists of tensors.
#[macro_export]
macro_rules! foreach_operators {
    ($callback:path) => {
        $callback! {
            foreach, Foreach:

            /// The absolute value of each element
            foreach_abs (takes: types("float@910B,950")) {
                ForeachAbs = "aclnnForeachAbs"(x: tensors, out: tensors_out);
            }

            /// The arc cosine of each element, in radians
            foreach_acos (takes: types("float@910B,950")) {
                ForeachAcos = "aclnnForeachAcos"(x: tensors, out: tensors_out);
                ForeachACosInplace = "aclnnForeachACosInplace"(x: tensors_inout_const);
            }

            /// The arc sine of each element, in radians
            foreach_asin (takes: types("float@910B,950")) {
                ForeachAsin = "aclnnForeachAsin"(x: tensors, out: tensors_out);
            }

            /// The arc tangent of each element, in radians
            foreach_atan (takes: types("float@910B,950")) {
                ForeachAtan = "aclnnForeachAtan"(x: tensors, out: tensors_out);
            }

            /// The cosine of each element
            foreach_cos (takes: types("float@910B,950")) {
                ForeachCos = "aclnnForeachCos"(x: tensors, out: tensors_out);
            }

            /// The hyperbolic cosine of each element
            foreach_cosh (takes: types("float@910B,950")) {
                ForeachCosh = "aclnnForeachCosh"(x: tensors, out: tensors_out);
            }

            /// The error function of each element
            foreach_erf (takes: types("float@910B,950")) {
                ForeachErf = "aclnnForeachErf"(x: tensors, out: tensors_out);
            }

            /// 1 − the error function of each element
            foreach_erfc (takes: types("float@910B,950")) {
                ForeachErfc = "aclnnForeachErfc"(x: tensors, out: tensors_out);
            }

            /// `eˣ` of each element
            foreach_exp (takes: types("float@910B,950")) {
                ForeachExp = "aclnnForeachExp"(x: tensors, out: tensors_out);
            }

            /// `eˣ − 1` of each element
            foreach_expm1 (takes: types("float@910B,950")) {
                ForeachExpm1 = "aclnnForeachExpm1"(x: tensors, out: tensors_out);
            }

            /// The natural logarithm of each element
            foreach_log (takes: types("float@910B,950")) {
                ForeachLog = "aclnnForeachLog"(x: tensors, out: tensors_out);
                ForeachLogInplace = "aclnnForeachLogInplace"(x: tensors_inout_const);
            }

            /// The logarithm to base 10 of each element
            foreach_log10 (takes: types("float@910B,950")) {
                ForeachLog10 = "aclnnForeachLog10"(x: tensors, out: tensors_out);
            }

            /// `log(1 + x)` of each element
            foreach_log1p (takes: types("float@910B,950")) {
                ForeachLog1p = "aclnnForeachLog1p"(x: tensors, out: tensors_out);
            }

            /// The logarithm to base 2 of each element
            foreach_log2 (takes: types("float@910B,950")) {
                ForeachLog2 = "aclnnForeachLog2"(x: tensors, out: tensors_out);
            }

            /// The negative of each element
            foreach_neg (takes: types("float@910B,950 i32@910B,950")) {
                ForeachNeg = "aclnnForeachNeg"(x: tensors, out: tensors_out);
            }

            /// `1 / x` of each element
            foreach_reciprocal (takes: types("float@910B,950")) {
                ForeachReciprocal = "aclnnForeachReciprocal"(x: tensors, out: tensors_out);
            }

            /// `1 / (1 + e⁻ˣ)` of each element
            foreach_sigmoid (takes: types("float@910B,950")) {
                ForeachSigmoid = "aclnnForeachSigmoid"(x: tensors, out: tensors_out);
            }

            /// 1, 0 or −1 as the sign of each element
            foreach_sign (takes: types("float@910B,950 i32@910B,950")) {
                ForeachSign = "aclnnForeachSign"(x: tensors, out: tensors_out);
            }

            /// The sine of each element
            foreach_sin (takes: types("float@910B,950")) {
                ForeachSin = "aclnnForeachSin"(x: tensors, out: tensors_out);
            }

            /// The hyperbolic sine of each element
            foreach_sinh (takes: types("float@910B,950")) {
                ForeachSinh = "aclnnForeachSinh"(x: tensors, out: tensors_out);
            }

            /// The square root of each element
            foreach_sqrt (takes: types("float@910B,950")) {
                ForeachSqrt = "aclnnForeachSqrt"(x: tensors, out: tensors_out);
            }

            /// The tangent of each element
            foreach_tan (takes: types("float@910B,950")) {
                ForeachTan = "aclnnForeachTan"(x: tensors, out: tensors_out);
            }

            /// The hyperbolic tangent of each element
            foreach_tanh (takes: types("float@910B,950")) {
                ForeachTanh = "aclnnForeachTanh"(x: tensors, out: tensors_out);
            }

            /// Each element plus a number, the same for all tensors or one for each
            foreach_add_scalar (takes: types("float@910B,950 i32@910B,950 i16@910B i8@910B u8@910B")) {
                ForeachAddScalar = "aclnnForeachAddScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachAddScalarV2 = "aclnnForeachAddScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachAddScalarList = "aclnnForeachAddScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// `x1 + alpha · x2`
            foreach_add_list (takes: types("float@910B,950 i32@910B,950")) {
                ForeachAddList = "aclnnForeachAddList"(x1: tensors, x2: tensors, alpha: tensor, out: tensors_out);
                ForeachAddListInplace = "aclnnForeachAddListInplace"(x1: tensors_inout_const, x2: tensors, alpha: tensor);
            }

            /// `x1 + alpha · x2`
            foreach_add_list_v2 (takes: types("float@910B,950 i32@910B,950 i16@910B,950 i8@910B,950 u8@910B,950")) {
                ForeachAddListV2 = "aclnnForeachAddListV2"(x1: tensors, x2: tensors, alpha: scalar, out: tensors_out);
            }

            /// Each element minus a number, the same for all tensors or one for each
            foreach_sub_scalar (takes: types("float@910B,950 i32@910B,950")) {
                ForeachSubScalar = "aclnnForeachSubScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachSubScalarV2 = "aclnnForeachSubScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachSubScalarInplace = "aclnnForeachSubScalarInplace"(x: tensors_inout_const, scalar: tensor);
                ForeachSubScalarList = "aclnnForeachSubScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// `x1 − alpha · x2`
            foreach_sub_list (takes: types("float@910B,950 i32@910B,950")) {
                ForeachSubList = "aclnnForeachSubList"(x1: tensors, x2: tensors, alpha: tensor, out: tensors_out);
                ForeachSubListInplace = "aclnnForeachSubListInplace"(x1: tensors_inout_const, x2: tensors, alpha: tensor);
            }

            /// `x1 − alpha · x2`
            foreach_sub_list_v2 (takes: types("float@910B,950 i32@910B,950 i16@910B,950 i8@910B,950 u8@910B,950")) {
                ForeachSubListV2 = "aclnnForeachSubListV2"(x1: tensors, x2: tensors, alpha: scalar, out: tensors_out);
            }

            /// Each element times a number, the same for all tensors or one for each
            foreach_mul_scalar (takes: types("float@910B,950 i32@910B,950")) {
                ForeachMulScalar = "aclnnForeachMulScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachMulScalarV2 = "aclnnForeachMulScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachMulScalarInplace = "aclnnForeachMulScalarInplace"(x: tensors_inout_const, scalar: tensor);
                ForeachMulScalarList = "aclnnForeachMulScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// `x1 · x2`
            foreach_mul_list (takes: types("float@910B,950 i32@910B,950 i16@910B,950 i8@910B,950 u8@910B,950")) {
                ForeachMulList = "aclnnForeachMulList"(x1: tensors, x2: tensors, out: tensors_out);
                ForeachMulListInplace = "aclnnForeachMulListInplace"(x1: tensors_inout_const, x2: tensors);
            }

            /// Each element divided by a number, the same for all tensors or one for each
            foreach_div_scalar (takes: types("float@910B,950")) {
                ForeachDivScalar = "aclnnForeachDivScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachDivScalarV2 = "aclnnForeachDivScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachDivScalarList = "aclnnForeachDivScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// `x1 / x2`
            foreach_div_list (takes: types("float@910B,950")) {
                ForeachDivList = "aclnnForeachDivList"(x1: tensors, x2: tensors, out: tensors_out);
                ForeachDivListInplace = "aclnnForeachDivListInplace"(x1: tensors_inout_const, x2: tensors);
            }

            /// The greater of each element and a number, the same for all tensors or one for each
            foreach_maximum_scalar (takes: types("float@910B,950 i32@910B,950")) {
                ForeachMaximumScalar = "aclnnForeachMaximumScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachMaximumScalarV2 = "aclnnForeachMaximumScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachMaximumScalarList = "aclnnForeachMaximumScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// The greater of `x1` and `x2`; NaN if one is NaN
            foreach_maximum_list (takes: types("float@910B,950 i32@910B,950")) {
                ForeachMaximumList = "aclnnForeachMaximumList"(x1: tensors, x2: tensors, out: tensors_out);
            }

            /// The smaller of each element and a number, the same for all tensors or one for each
            foreach_minimum_scalar (takes: types("float@910B,950 i32@910B,950")) {
                ForeachMinimumScalar = "aclnnForeachMinimumScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachMinimumScalarV2 = "aclnnForeachMinimumScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachMinimumScalarList = "aclnnForeachMinimumScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// The smaller of `x1` and `x2`; NaN if one is NaN
            foreach_minimum_list (takes: types("float@910B,950 i32@910B,950")) {
                ForeachMinimumList = "aclnnForeachMinimumList"(x1: tensors, x2: tensors, out: tensors_out);
            }

            /// Each element to the power of a number, the same for all tensors or one for each
            foreach_pow_scalar (takes: types("float@910B,950 i32@910B,950")) {
                ForeachPowScalar = "aclnnForeachPowScalar"(x: tensors, scalar: tensor, out: tensors_out);
                ForeachPowScalarV2 = "aclnnForeachPowScalarV2"(x: tensors, scalar: scalar, out: tensors_out);
                ForeachPowScalarList = "aclnnForeachPowScalarList"(x: tensors, scalars: scalars, out: tensors_out);
            }

            /// `x1` to the power of `x2`
            foreach_pow_list (takes: types("float@910B,950 i32@910B,950")) {
                ForeachPowList = "aclnnForeachPowList"(x1: tensors, x2: tensors, out: tensors_out);
            }

            /// A number to the power of each element
            foreach_pow_scalar_and_tensor (takes: types("float@910B,950 i32@910B,950")) {
                ForeachPowScalarAndTensor = "aclnnForeachPowScalarAndTensor"(scalar: scalar, x: tensors, out: tensors_out);
            }

            /// Each element rounded to a whole number in a mode
            foreach_round_off_number (takes: types("float@910B,950 i32@910B,950 i16@910B")) {
                ForeachRoundOffNumber = "aclnnForeachRoundOffNumber"(x: tensors, roundMode: tensor, out: tensors_out);
                ForeachRoundOffNumberV2 = "aclnnForeachRoundOffNumberV2"(x: tensors, roundMode: scalar, out: tensors_out);
            }

            /// `x1 + scalar · x2 / x3`, with one number for all tensors or one for each
            foreach_addcdiv (takes: types("float@910B,950")) {
                ForeachAddcdivList = "aclnnForeachAddcdivList"(
                    x1: tensors, x2: tensors, x3: tensors, scalars: tensor, out: tensors_out
                );
                ForeachAddcdivScalar = "aclnnForeachAddcdivScalar"(
                    x1: tensors, x2: tensors, x3: tensors, scalar: tensor, out: tensors_out
                );
                ForeachAddcdivScalarList = "aclnnForeachAddcdivScalarList"(
                    x1: tensors, x2: tensors, x3: tensors, scalars: tensor, out: tensors_out
                );
                ForeachAddcdivScalarV2 = "aclnnForeachAddcdivScalarV2"(
                    x1: tensors, x2: tensors, x3: tensors, scalar: scalar, out: tensors_out
                );
            }

            /// `x1 + scalar · x2 · x3`, with one number for all tensors or one for each
            foreach_addcmul (takes: types("float@910B,950 i32@910B,950")) {
                ForeachAddcmulList = "aclnnForeachAddcmulList"(
                    x1: tensors, x2: tensors, x3: tensors, scalars: tensor, out: tensors_out
                );
                ForeachAddcmulScalar = "aclnnForeachAddcmulScalar"(
                    x1: tensors, x2: tensors, x3: tensors, scalar: tensor, out: tensors_out
                );
                ForeachAddcmulScalarList = "aclnnForeachAddcmulScalarList"(
                    x1: tensors, x2: tensors, x3: tensors, scalars: tensor, out: tensors_out
                );
                ForeachAddcmulScalarV2 = "aclnnForeachAddcmulScalarV2"(
                    x1: tensors, x2: tensors, x3: tensors, scalar: scalar, out: tensors_out
                );
            }

            /// `x1 + weight · (x2 − x1)`
            foreach_lerp (takes: types("float@910B,950")) {
                ForeachLerpList = "aclnnForeachLerpList"(x1: tensors, x2: tensors, weight: tensors, out: tensors_out);
                ForeachLerpScalar = "aclnnForeachLerpScalar"(x1: tensors, x2: tensors, weight: scalar, out: tensors_out);
            }

            /// The norm of the elements of each tensor
            foreach_norm (takes: types("float@910B,950")) {
                ForeachNorm = "aclnnForeachNorm"(x: tensors, scalar: scalar, out: tensors_out);
            }

            /// Each tensor, converted to the type of the output
            foreach_copy (
                takes: types("float@910B,950 i32@910B,950 i8@910B,950 u8@910B,950 i16@910B,950 u16@910B,950 u32@910B,950 i64@910B,950 f64@910B,950 bool@910B,950")
            ) {
                ForeachCopy = "aclnnForeachCopy"(x: tensors, out: tensors_out);
            }

            /// Zero for each element
            foreach_zero (takes: types("float@910B,950 i32@910B,950 i16@910B,950")) {
                ForeachZeroInplace = "aclnnForeachZeroInplace"(x: tensors_inout_const);
            }

            /// Each element times `invScale`, and a flag that one of them was infinite or NaN
            foreach_unscale (takes: types("float@910B,950")) {
                ForeachNonFiniteCheckAndUnscale = "aclnnForeachNonFiniteCheckAndUnscale"(
                    scaledGrads: tensors_inout_const, foundInf: inout_const, invScale: tensor
                );
            }
        }
    };
}

foreach_operators!(super::info::family);
