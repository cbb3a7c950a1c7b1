//! Functions of each element of one tensor.

/// Calls `$callback!` with the unary operators.
#[macro_export]
macro_rules! unary_operators {
    ($callback:path) => {
        $callback! {
            unary, Unary:

            /// `eˣ`
            exp (
                example: [0.0, 1.0] => f32 [1.0, 2.7182817]; takes: types("float f64 complex bool i64"), in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Exp = "aclnnExp"(self_: tensor, out: out);
                InplaceExp = "aclnnInplaceExp"(self_: inout);
            }

            /// `2ˣ`
            exp2 (
                example: [0.0, 3.0] => f32 [1.0, 8.0]; takes: types("float f64 int bool"), in_place: Some(types("float f64")), ..UNARY
            ) {
                Exp2 = "aclnnExp2"(self_: tensor, out: out);
                InplaceExp2 = "aclnnInplaceExp2"(self_: inout);
            }

            /// `eˣ − 1`, exact also near zero
            expm1 (example: [0.0, 1.0] => f32 [0.0, 1.7182819]; takes: types("float bool i64"), in_place: Some(types("float")), ..UNARY) {
                Expm1 = "aclnnExpm1"(self_: tensor, out: out);
                InplaceExpm1 = "aclnnInplaceExpm1"(self_: inout);
            }

            /// The natural logarithm
            log (
                example: [1.0, 10.0] => f32 [0.0, 2.3025851]; takes: types("float f64 complex int bool"), integers: F64,
                output: CastableFromOwn(types("float f64 complex")), in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Log = "aclnnLog"(self_: tensor, out: out);
                InplaceLog = "aclnnInplaceLog"(self_: inout);
            }

            /// The logarithm to base 2
            log2 (
                example: [1.0, 8.0] => f32 [0.0, 3.0]; takes: types("float f64 complex int bool"), integers: F64,
                output: CastableFromOwn(types("float f64 complex")), in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Log2 = "aclnnLog2"(self_: tensor, out: out_const);
                InplaceLog2 = "aclnnInplaceLog2"(self_: inout_const);
            }

            /// The logarithm to base 10
            log10 (
                example: [1.0, 1000.0] => f32 [0.0, 3.0]; takes: types("float f64 complex int bool bf16"), integers: F64, output: Exact,
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Log10 = "aclnnLog10"(self_: tensor, out: out);
                InplaceLog10 = "aclnnInplaceLog10"(self_: inout);
            }

            /// `log(1 + x)`, exact also near zero
            log1p (
                example: [0.0, 1.0] => f32 [0.0, 0.6931472]; takes: types("float f64 int bool"), integers: OfOutput, output: Any(types("float f64")),
                in_place: Some(types("float f64")), ..UNARY
            ) {
                Log1p = "aclnnLog1p"(self_: tensor, out: out);
                InplaceLog1p = "aclnnInplaceLog1p"(self_: inout);
            }

            /// The square root
            sqrt (
                example: [4.0, 2.0] => f32 [2.0, 1.4142135]; takes: types("float f64 complex int bool bf16@310P"), integers: Wide,
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Sqrt = "aclnnSqrt"(self_: tensor, out: out);
                InplaceSqrt = "aclnnInplaceSqrt"(self_: inout);
            }

            /// `1 / √x`
            rsqrt (
                example: [4.0, 0.25] => f32 [0.5, 2.0]; takes: types("float f64 complex int bool"), integers: OfOutput, output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Rsqrt = "aclnnRsqrt"(self_: tensor, out: out);
                InplaceRsqrt = "aclnnInplaceRsqrt"(self_: inout);
            }

            /// `1 / x`
            reciprocal (
                also: "recip"; example: [4.0, -0.5] => f32 [0.25, -2.0]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Reciprocal = "aclnnReciprocal"(self_: tensor, out: out);
                InplaceReciprocal = "aclnnInplaceReciprocal"(self_: inout_const);
            }

            /// `1 / (1 + e⁻ˣ)`
            sigmoid (
                example: [0.0, 2.0] => f32 [0.5, 0.8807971]; takes: types("float f64 complex int bool"), integers: OfOutput, output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Sigmoid = "aclnnSigmoid"(self_: tensor, out: out);
                InplaceSigmoid = "aclnnInplaceSigmoid"(self_: inout);
            }

            /// The sine of an angle in radians
            sin (
                example: [0.0, 1.0] => f32 [0.0, 0.84147096]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Sin = "aclnnSin"(self_: tensor, out: out);
                InplaceSin = "aclnnInplaceSin"(self_: inout);
            }

            /// The cosine of an angle in radians
            cos (
                example: [0.0, 1.0] => f32 [1.0, 0.5403023]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Cos = "aclnnCos"(input: tensor, out: out);
                InplaceCos = "aclnnInplaceCos"(input: inout);
            }

            /// The tangent of an angle in radians
            tan (
                example: [0.0, 1.0] => f32 [0.0, 1.5574077]; takes: types("float f64 complex int bool"), in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Tan = "aclnnTan"(self_: tensor, out: out);
                InplaceTan = "aclnnInplaceTan"(self_: inout_const);
            }

            /// The arc sine, in radians
            asin (
                also: "arcsin"; example: [0.0, 1.0] => f32 [0.0, 1.5707964]; takes: types("float f64 int bool"), output: Any(types("float f64")), in_place: Some(types("float f64")),
                ..UNARY
            ) {
                Asin = "aclnnAsin"(self_: tensor, out: out);
                InplaceAsin = "aclnnInplaceAsin"(self_: inout);
            }

            /// The arc cosine, in radians
            acos (
                also: "arccos"; example: [1.0, 0.0] => f32 [0.0, 1.5707964]; takes: types("float f64 int bool"), output: Any(types("float f64")), in_place: Some(types("float f64")),
                ..UNARY
            ) {
                Acos = "aclnnAcos"(input: tensor, out: out);
                InplaceAcos = "aclnnInplaceAcos"(input: inout);
            }

            /// The arc tangent, in radians
            atan (
                also: "arctan"; example: [0.0, 1.0] => f32 [0.0, 0.7853982]; takes: types("float f64 int bool"), output: Any(types("float f64")), in_place: Some(types("float f64")),
                ..UNARY
            ) {
                Atan = "aclnnAtan"(input: tensor, out: out);
                InplaceAtan = "aclnnInplaceAtan"(input: inout);
            }

            /// The hyperbolic sine
            sinh (
                example: [0.0, 1.0] => f32 [0.0, 1.1752012]; takes: types("float f64 complex int bool"), integers: OfOutput, output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Sinh = "aclnnSinh"(self_: tensor, out: out);
                InplaceSinh = "aclnnInplaceSinh"(self_: inout);
            }

            /// The hyperbolic cosine
            cosh (
                example: [0.0, 1.0] => f32 [1.0, 1.5430807]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Cosh = "aclnnCosh"(self_: tensor, out: out);
                InplaceCosh = "aclnnInplaceCosh"(self_: inout);
            }

            /// The hyperbolic tangent
            tanh (
                example: [0.0, 1.0] => f32 [0.0, 0.7615942]; takes: types("float int bool"), output: CastableTo(types("float int bool")),
                in_place: Some(types("float")), ..UNARY
            ) {
                Tanh = "aclnnTanh"(self_: tensor, out: out);
                InplaceTanh = "aclnnInplaceTanh"(self_: inout);
            }

            /// The inverse hyperbolic sine
            asinh (
                also: "arcsinh"; example: [0.0, 1.0] => f32 [0.0, 0.8813736]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Asinh = "aclnnAsinh"(input: tensor, out: out);
                InplaceAsinh = "aclnnInplaceAsinh"(input: inout);
            }

            /// The inverse hyperbolic cosine
            acosh (
                also: "arccosh"; example: [1.0, 2.0] => f32 [0.0, 1.316958]; takes: types("float f64 complex int bool"), output: CastableFromOwn(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Acosh = "aclnnAcosh"(self_: tensor, out: out);
                InplaceAcosh = "aclnnInplaceAcosh"(self_: inout);
            }

            /// The inverse hyperbolic tangent
            atanh (
                also: "arctanh"; example: [0.0, 0.5] => f32 [0.0, 0.54930615]; takes: types("float f64 complex int bool"), output: Any(types("float f64 complex")),
                in_place: Some(types("float f64 complex")), ..UNARY
            ) {
                Atanh = "aclnnAtanh"(input: tensor, out: out);
                InplaceAtanh = "aclnnInplaceAtanh"(input: inout);
            }

            /// The error function
            erf (
                example: [0.0, 1.0] => f32 [0.0, 0.8427008]; takes: types("float f64 bool i64"), in_place: Some(types("float f64")), ..UNARY
            ) {
                Erf = "aclnnErf"(self_: tensor, out: out);
                InplaceErf = "aclnnInplaceErf"(self_: inout);
            }

            /// One minus the error function, exact also where that is near one
            erfc (
                example: [0.0, 1.0] => f32 [1.0, 0.1572992]; takes: types("float f64 bool i64"), in_place: Some(types("float f64")), ..UNARY
            ) {
                Erfc = "aclnnErfc"(self_: tensor, out: out);
                InplaceErfc = "aclnnInplaceErfc"(self_: inout_const);
            }

            /// The inverse error function
            erfinv (example: [0.0, 0.5] => f32 [0.0, 0.47693628]; takes: types("float int bool"), in_place: Some(types("float")), ..UNARY) {
                Erfinv = "aclnnErfinv"(self_: tensor, out: out);
                InplaceErfinv = "aclnnInplaceErfinv"(self_: inout_const);
            }

            /// The logarithmic derivative of the gamma function
            digamma (example: [1.0, 2.0] => f32 [-0.5772157, 0.42278433]; takes: types("f32 f16 f64"), output: Own, ..UNARY) {
                Digamma = "aclnnDigamma"(self_: tensor, out: out);
            }

            /// The logarithm of the absolute value of the gamma function
            lgamma (also: "gammaln"; example: [1.0, 5.0] => f32 [0.0, 3.1780539]; takes: types("f32 f16 f64"), output: Own, ..UNARY) {
                Lgamma = "aclnnLgamma"(self_: tensor, out: out);
            }

            /// The number rounded down to an integer
            floor (example: [-1.5, 2.5] => f32 [-2.0, 2.0]; takes: types("float f64 int uint"), integers: AsTheyAre, output: Own, ..UNARY) {
                Floor = "aclnnFloor"(self_: tensor, out: out);
                InplaceFloor = "aclnnInplaceFloor"(self_: inout);
            }

            /// The number rounded up to an integer
            ceil (example: [-1.5, 2.5] => f32 [-1.0, 3.0]; takes: types("float f64"), integers: AsTheyAre, output: Own, ..UNARY) {
                Ceil = "aclnnCeil"(self_: tensor, out: out);
                InplaceCeil = "aclnnInplaceCeil"(self_: inout);
            }

            /// The number rounded towards zero to an integer
            trunc (also: "fix"; example: [-1.5, 2.5] => f32 [-1.0, 2.0]; takes: types("float i8@950 u8@950 i32@950"), integers: AsTheyAre, output: Own, ..UNARY) {
                Trunc = "aclnnTrunc"(self_: tensor, out: out);
                InplaceTrunc = "aclnnInplaceTrunc"(self_: inout);
            }

            /// `x − trunc(x)`
            frac (example: [-1.25, 2.5] => f32 [-0.25, 0.5]; takes: types("float int"), integers: AsTheyAre, output: Own, ..UNARY) {
                Frac = "aclnnFrac"(input: tensor, out: out);
                InplaceFrac = "aclnnInplaceFrac"(input: inout);
            }

            /// The nearest integer, ties to even
            round (
                example: [0.5, 1.5, 2.5] => f32 [0.0, 2.0, 2.0]; takes: types("float f64 i32 i64 bf16@310P"), integers: AsTheyAre, output: Own, ..UNARY
            ) {
                Round = "aclnnRound"(self_: tensor, out: out);
                InplaceRound = "aclnnInplaceRound"(self_: inout_const);
            }

            /// `|x|`; signed integers wrap
            abs (
                also: "absolute"; example: [-1.5, 2.0] => f32 [1.5, 2.0]; takes: types("float f64 int bool c64@910B,950 c32@950"), integers: AsTheyAre, gives: Real, output: Exact,
                ..UNARY
            ) {
                Abs = "aclnnAbs"(self_: tensor, out: out);
            }

            /// `−x`; integers wrap
            negative (example: [-1.5, 2.0] => f32 [1.5, -2.0]; takes: types("float f64 i8 i32 i64 complex"), integers: AsTheyAre, ..UNARY) {
                Neg = "aclnnNeg"(self_: tensor, out: out);
                InplaceNeg = "aclnnInplaceNeg"(self_: inout);
            }

            /// −1, 0 or 1, the sign of the number, and 0 for NaN; `x / |x|` for complex numbers
            sign (
                example: [-1.5, 0.0, 2.0] => f32 [-1.0, 0.0, 1.0]; takes: types("float f64 i32 i64 bool complex bf16@310P i8@310P u8@310P i16@310P"), integers: AsTheyAre,
                output: Own, any_rank: true, ..UNARY
            ) {
                Sign = "aclnnSign"(self_: tensor, result: out);
            }

            /// `sin(πx) / πx`, and 1 for zero
            sinc (
                example: [0.0, 0.5] => f32 [1.0, 0.63661975]; takes: types("float f64 int bool"), output: Any(types("float f64")), in_place: Some(types("float f64")),
                null_is_internal: true, ..UNARY
            ) {
                Sinc = "aclnnSinc"(self_: tensor, out: out);
                InplaceSinc = "aclnnInplaceSinc"(self_: inout);
            }

            /// True where the number is negative
            signbit (
                example: [-1.5, 2.0] => bool [true, false]; takes: types("float f64 int uint bool"), integers: AsTheyAre, gives: Bool,
                output: Any(types("float f64 int uint bool")), ..UNARY
            ) {
                Signbit = "aclnnSignbit"(self_: tensor, out: out);
            }

            /// True where the number is neither infinite nor NaN
            is_finite (
                also: "isfinite"; example: [1.0, f32::INFINITY] => bool [true, false]; takes: types("float f64 int bool"), integers: AsTheyAre, gives: Bool, output: Exact, ..UNARY
            ) {
                IsFinite = "aclnnIsFinite"(self_: tensor, out: out);
            }

            /// True where the number is +∞
            is_pos_inf (
                also: "isposinf"; example: [1.0, f32::INFINITY] => bool [false, true]; takes: types("float@310P,910B,950 int@310P,910B,950 bool@310P,910B,950"), integers: AsTheyAre, gives: Bool,
                output: Exact, ..UNARY
            ) {
                IsPosInf = "aclnnIsPosInf"(self_: tensor, out: out);
            }

            /// True where the number is −∞
            is_neg_inf (
                also: "isneginf"; example: [1.0, f32::NEG_INFINITY] => bool [false, true]; takes: types("float@310P,910B,950 int@310P,910B,950 bool@310P,910B,950"), integers: AsTheyAre, gives: Bool,
                output: Exact, ..UNARY
            ) {
                IsNegInf = "aclnnIsNegInf"(self_: tensor, out: out);
            }

            /// True where the element is false: only zero is false
            logical_not (
                also: "bool_not"; example: [0.0, 2.0] => bool [true, false]; takes: types("f32 f16 f64 bf16 int bool"),
                integers: AsTheyAre, gives: Bool, output: Any(types("f32 f16 f64 bf16 int bool")), ..UNARY
            ) {
                LogicalNot = "aclnnLogicalNot"(self_: tensor, out: out);
                InplaceLogicalNot = "aclnnInplaceLogicalNot"(self_: inout);
            }

            /// True where the number is infinite
            is_inf (
                also: "isinf"; example: [1.0, f32::INFINITY] => bool [false, true]; takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@910B,950"), integers: AsTheyAre, gives: Bool,
                output: Exact, ..UNARY
            ) {
                IsInf = "aclnnIsInf"(x: tensor, out: out_const);
            }

            /// The bits inverted; of bool the logical not
            bitwise_not (
                also: "invert"; example: [5, -1] as i32 => i32 [-6, 0]; takes: types("int bool uint@950"), integers: AsTheyAre, null_is_internal: true, ..UNARY
            ) {
                BitwiseNot = "aclnnBitwiseNot"(self_: tensor, out: out);
            }

            /// The real part
            real (
                example: [1.5, 2.0] => f32 [1.5, 2.0]; takes: types("f32@910B,950 f16@910B,950 c32@910B,950 c64 c128@910,310P,910B"), integers: AsTheyAre, gives: Real, output: Exact,
                ..UNARY
            ) {
                Real = "aclnnReal"(self_: tensor, out: out);
            }

            /// The angle in the complex plane, in radians: 0 for real numbers, and π for those below zero. CANN describes neither parameters nor types: the parameters are those of functions that are generated in the same way, and the meaning is PyTorch's
            angle (example: [1.5, -2.0] => f32 [0.0, 3.1415927]; takes: types("f32 f16 int bool c64"), gives: Real, output: Exact, ..UNARY) {
                AngleV2 = "aclnnAngleV2"(x: tensor, out: out_const);
            }

            /// `max(x, 0)`
            relu (example: [-1.5, 2.0] => f32 [0.0, 2.0]; takes: types("float i8 u8 i32 i64"), integers: AsTheyAre, output: Own, ..UNARY) {
                Relu = "aclnnRelu"(self_: tensor, out: out_const);
                InplaceRelu = "aclnnInplaceRelu"(self_: inout);
            }

            /// The Gaussian error linear unit, by its approximation with tanh
            gelu (example: [-1.0, 1.0] => f32 [-0.15880801, 0.841192]; takes: types("float"), output: Own, ..UNARY) {
                Gelu = "aclnnGelu"(self_: tensor, out: out);
            }

            /// `x / (1 + e⁻ˣ)`
            silu (example: [-1.0, 1.0] => f32 [-0.26894143, 0.7310586]; takes: types("float"), output: Own, any_rank: true, ..UNARY) {
                Silu = "aclnnSilu"(self_: tensor, out: out);
            }

            /// The logarithm of the sigmoid
            log_sigmoid (also: "logsigmoid"; example: [-1.0, 1.0] => f32 [-1.3132616, -0.3132617]; takes: types("float"), output: Own, any_rank: true, ..UNARY) {
                LogSigmoid = "aclnnLogSigmoid"(self_: tensor, out: out);
            }

            /// `x · tanh(log(1 + eˣ))`
            mish (example: [-1.0, 1.0] => f32 [-0.30340147, 0.8650984]; takes: types("float"), output: Own, ..UNARY) {
                Mish = "aclnnMish"(self_: tensor, out: out);
                InplaceMish = "aclnnInplaceMish"(self_: inout);
            }

            /// `x · clamp(x + 3, 0, 6) / 6`
            hard_swish (also: "hardswish"; example: [-1.0, 4.0] => f32 [-0.33333334, 4.0]; takes: types("float"), output: Any(types("float")), any_rank: true, ..UNARY) {
                Hardswish = "aclnnHardswish"(self_: tensor, out: out_const);
                InplaceHardswish = "aclnnInplaceHardswish"(self_: inout_const);
            }

            /// `min(max(x / 6 + ½, 0), 1)`; integers are computed in f32 and truncated
            hard_sigmoid (
                also: "hardsigmoid"; example: [-3.0, 0.0] => f32 [0.0, 0.5]; takes: types("float i32"), integers: Truncated, output: Own, ..UNARY
            ) {
                Hardsigmoid = "aclnnHardsigmoid"(self_: tensor, out: out);
                InplaceHardsigmoid = "aclnnInplaceHardsigmoid"(self_: inout_const);
            }

            /// The scaled exponential linear unit; integers are computed in f32 and truncated
            selu (
                example: [-1.0, 2.0] => f32 [-1.1113307, 2.101402]; takes: types("float i32 i8"), integers: Truncated, output: Any(types("float i32 i8")), any_rank: true, ..UNARY
            ) {
                Selu = "aclnnSelu"(self_: tensor, out: out);
                InplaceSelu = "aclnnInplaceSelu"(self_: inout);
            }

            /// `x / (1 + e^(−1.702 x))`, an approximation of the Gaussian error linear unit
            fast_gelu (example: [-1.0, 1.0] => f32 [-0.15420423, 0.84579575]; takes: types("float@910B,950"), output: Own, ..UNARY) {
                FastGelu = "aclnnFastGelu"(self_: tensor, out: out);
            }
        }
    };
}

unary_operators!(super::info::family);
