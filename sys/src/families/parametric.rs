//! Functions of each element that have attributes, or several operands, or both: clamping, activations, their gradients.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! parametric_operators {
    ($callback:path) => {
        $callback! {
            parametric, Parametric:

            /// The nearest number between two bounds; the upper one, if they are exchanged
            clamp (
                takes: types("float f64 int"), operands: Clamped, scalars: AsOperands, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                Clamp = "aclnnClamp"(self_: tensor, clipValueMin: scalar_or_null, clipValueMax: scalar_or_null, out: out);
            }

            /// The nearest number that is not less than a bound
            clamp_min (
                takes: types("float f64 int"), operands: Clamped, scalars: AsOperands, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                ClampMin = "aclnnClampMin"(self_: tensor, clipValueMin: scalar, out: out);
            }

            /// The nearest number that is not greater than a bound
            clamp_max (
                takes: types("float f64 int"), operands: Clamped, scalars: AsOperands, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                ClampMax = "aclnnClampMax"(self_: tensor, clipValueMax: scalar, out: out);
                InplaceClampMax = "aclnnInplaceClampMax"(self_: inout_const, clipValueMax: scalar);
            }

            /// The nearest number between two bounds, element by element; the upper one, if they are exchanged
            clamp_tensor (
                takes: types("float f64 int"), operands: Bounded, shapes: Broadcasting, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                ClampTensor = "aclnnClampTensor"(self_: tensor, clipValueMin: tensor_or_null, clipValueMax: tensor_or_null, out: out);
            }

            /// The nearest number that is not less than a bound, element by element
            clamp_min_tensor (
                takes: types("float f64 int"), operands: Bounded, shapes: Broadcasting, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                ClampMinTensor = "aclnnClampMinTensor"(self_: tensor, clipValueMin: tensor, out: out);
                InplaceClampMinTensor = "aclnnInplaceClampMinTensor"(self_: inout, clipValueMin: tensor);
            }

            /// The nearest number that is not greater than a bound, element by element
            clamp_max_tensor (
                takes: types("float f64 int"), operands: Bounded, shapes: Broadcasting, output: Any(types("float f64 int")), ..PARAMETRIC
            ) {
                ClampMaxTensor = "aclnnClampMaxTensor"(self_: tensor, max: tensor, out: out);
                InplaceClampMaxTensor = "aclnnInplaceClampMaxTensor"(self_: inout, max: tensor);
            }

            /// The nearest number between two bounds, which have the type of the tensor and are in order
            hard_tanh (
                also: "hardtanh"; example: [-2.0, 0.5] with min scalar = -1.0, max scalar = 1.0 => f32 [-1.0, 0.5];
                takes: types("float f64 int"), scalars: ListedAsOperands, requires: Ordered, ..PARAMETRIC
            ) {
                Hardtanh = "aclnnHardtanh"(self_: tensor, clipValueMin: scalar, clipValueMax: scalar, out: out);
                InplaceHardtanh = "aclnnInplaceHardtanh"(self_: inout, clipValueMin: scalar, clipValueMax: scalar);
            }

            /// `x` where it is above a threshold or NaN, and otherwise `value`; an integer tensor takes the whole part of both
            threshold (
                example: [0.5, 2.0] with threshold scalar = 1.0, value scalar = -3.0 => f32 [-3.0, 2.0];
                takes: types("float i32 i8 u8 i16 i64"), operands: AlikeWide, scalars: AsOperands, output: CastableBefore950, ..PARAMETRIC
            ) {
                Threshold = "aclnnThreshold"(self_: tensor, threshold: scalar, value: scalar, out: out);
                InplaceThreshold = "aclnnInplaceThreshold"(self_: inout, threshold: scalar, value: scalar);
            }

            /// `log(1 + e^(beta x)) / beta`, and `x` where `beta x` is above a threshold (which PyTorch sets to 20)
            softplus (
                example: [-1.0, 30.0] with beta scalar = 1.0, threshold scalar = 20.0 => f32 [0.31326169, 30.0];
                takes: types("float"), scalars: RealInF32, output: Castable, ..PARAMETRIC
            ) {
                Softplus = "aclnnSoftplus"(self_: tensor, beta: scalar, threshold: scalar, out: out);
            }

            /// `x` where it is positive, and otherwise `slope x`
            leaky_relu (
                example: [-2.0, 2.0] with slope scalar = 0.25 => f32 [-0.5, 2.0];
                takes: types("float f64"), output: Castable, ..PARAMETRIC
            ) {
                LeakyRelu = "aclnnLeakyRelu"(self_: tensor, negativeSlope: scalar, out: out);
                InplaceLeakyRelu = "aclnnInplaceLeakyRelu"(self_: inout, negativeSlope: scalar);
            }

            /// The exponential linear unit: `scale x` where `x` is positive, and otherwise `alpha scale (e^(input_scale x) − 1)`
            elu (
                example: [-1.0, 2.0] with alpha scalar = 1.0, scale scalar = 1.0, input_scale scalar = 1.0 => f32 [-0.63212056, 2.0];
                takes: types("f32 f16 f64 bf16"), scalars: RealInF32, output: Castable, ..PARAMETRIC
            ) {
                Elu = "aclnnElu"(self_: tensor, alpha: scalar, scale: scalar, inputScale: scalar, out: out);
                InplaceElu = "aclnnInplaceElu"(self_: inout, alpha: scalar, scale: scalar, inputScale: scalar);
            }

            /// `max(x, 0) + min(alpha (e^(x / alpha) − 1), 0)`, for an `alpha` that is not zero
            celu (
                example: [-1.0, 2.0] with alpha scalar = 2.0 => f32 [-0.78693867, 2.0];
                takes: types("float"), scalars: RealInF32, requires: NonZero, output: Castable, ..PARAMETRIC
            ) {
                Celu = "aclnnCelu"(self_: tensor, alpha: scalar, out: out);
                InplaceCelu = "aclnnInplaceCelu"(self_: inout, alpha: scalar);
            }

            /// 0 where `|x|` is not above `lambda`, and otherwise `x`; a negative `lambda` counts as 0
            hard_shrink (
                also: "hardshrink"; example: [-0.25, 2.0] with lambda scalar = 0.5 => f32 [0.0, 2.0];
                takes: types("float"), output: Any(types("float")), ..PARAMETRIC
            ) {
                Hardshrink = "aclnnHardshrink"(self_: tensor, lambd: scalar, out: out);
            }

            /// `x` moved towards zero by `lambda`, which is not negative, and 0 where it is nearer; on the 950 also 0 for NaN
            soft_shrink (
                also: "softshrink"; example: [-0.25, 2.0] with lambda scalar = 0.5 => f32 [0.0, 1.5];
                takes: types("float"), requires: NonNegative, output: Any(types("float")), ..PARAMETRIC
            ) {
                Softshrink = "aclnnSoftshrink"(self_: tensor, lambd: scalar, out: out);
            }

            /// `x` moved towards zero by `bias` where `|x|` is above `lambda`, which is not negative, and otherwise 0
            shrink (
                example: [-0.25, 2.0] with lambda scalar = 0.5, bias scalar = 0.25 => f32 [0.0, 1.75];
                takes: types("f32 f16"), requires: NonNegative, output: Any(types("f32 f16")), ..PARAMETRIC
            ) {
                Shrink = "aclnnShrink"(self_: tensor, lambd: scalar, bias: scalar, out: out);
            }

            /// `x / (1 + e^(−beta x))`
            swish (
                example: [-1.0, 2.0] with beta scalar_or_null = 1.0 => f32 [-0.26894143, 1.7615942];
                takes: types("float"), scalars: RealInF32, ..PARAMETRIC
            ) {
                Swish = "aclnnSwish"(self_: tensor, betaOptional: scalar_or_null, out: out);
            }

            /// The number, with `nan`, `positive` and `negative` in place of NaN, +∞ and −∞
            nan_to_num (
                example: [f32::NAN, f32::INFINITY] with nan f32 = 0.0, positive f32 = 9.0, negative f32 = -9.0 => f32 [0.0, 9.0];
                takes: types("float@910B,950 int@910B,950 bool@910B,950"), scalars: AsOperands, ..PARAMETRIC
            ) {
                NanToNum = "aclnnNanToNum"(self_: tensor, nan: f32, posinf: f32, neginf: f32, out: out);
                InplaceNanToNum = "aclnnInplaceNanToNum"(self_: inout, nan: f32, posinf: f32, neginf: f32);
            }

            /// The number rounded to a number of decimals, ties to even; to tens, hundreds and so on if `decimals` is negative
            round_decimals (
                example: [1.25, 2.625] with decimals i64 = 1 => f32 [1.2, 2.6];
                takes: types("float f64 i32 i64 bf16@310P"), ..PARAMETRIC
            ) {
                RoundDecimals = "aclnnRoundDecimals"(self_: tensor, decimals: i64, out: out);
                InplaceRoundDecimals = "aclnnInplaceRoundDecimals"(self_: inout, decimals: i64);
            }

            /// The Gaussian error linear unit, by its approximation with tanh if `approximate` is 1, otherwise exactly
            gelu_v2 (
                example: [-1.0, 1.0] with approximate i64 = 0 => f32 [-0.15865526, 0.8413448];
                takes: types("float"), any_rank: true, ..PARAMETRIC
            ) {
                GeluV2 = "aclnnGeluV2"(x: tensor, approximate: i64, y: out);
            }

            /// `min(x, 0) − log(1 + e^−|x|)`, the logarithm of the sigmoid
            log_sigmoid_forward (takes: types("float"), any_rank: true, ..PARAMETRIC) {
                LogSigmoidForward = "aclnnLogSigmoidForward"(self_: tensor, out: out, buffer: tensor_mut);
            }

            /// `log(z / (1 − z))`, where `z` is `x` between `eps` and `1 − eps`, or `x` itself if `eps` is negative
            logit (
                example: [0.5, 1.0] with eps f64 = 0.25 => f32 [0.0, 1.0986123];
                takes: types("float@910B,950"), own_phase_one: false, ..PARAMETRIC
            ) {
                Logit = "aclnnLogit"(input: tensor, eps: f64, out: out_const);
            }

            /// 0 where `x` is negative or NaN, 1 where it is positive, and `values` where it is zero
            heaviside (
                example: [-2.0, 0.0], values [0.5, 0.5] => f32 [0.0, 0.5];
                takes: types("f32 f16 bf16"), operands: AlikeListed, shapes: Counted, output: Written(types("f32 f16 bf16")), ..PARAMETRIC
            ) {
                Heaviside = "aclnnHeaviside"(input: tensor, values: tensor, out: out);
            }

            /// `x` where it is positive, and otherwise `weight x`, with one weight or one for each index of the second axis
            prelu (
                example: [-2.0, 2.0], weight [0.25] => f32 [-0.5, 2.0];
                takes: types("float"), operands: Promoting, shapes: Channels, output: Any(types("float")), ..PARAMETRIC
            ) {
                Prelu = "aclnnPrelu"(self_: tensor, weight: tensor, out: out);
            }

            /// The gradient of `threshold`: `self` where `x` is above the threshold or NaN, and otherwise 0
            threshold_backward (
                example: [0.5, 0.5], x [1.0, 2.0] with threshold scalar = 1.0 => f32 [0.0, 0.5];
                takes: types("float i32 i8 u8"), shapes: Broadcasting, ..PARAMETRIC
            ) {
                ThresholdBackward = "aclnnThresholdBackward"(gradOutput: tensor, self_: tensor, threshold: scalar, out: out);
            }

            /// The gradient of `sigmoid` from its `result` y: `self · y (1 − y)`
            sigmoid_backward (
                example: [1.0, 1.0], result [0.5, 0.25] => f32 [0.25, 0.1875];
                takes: types("float f64 complex"), operands: PromotingTo, shapes: Broadcasting, output: CastableTo(types("float f64 complex")), ..PARAMETRIC
            ) {
                SigmoidBackward = "aclnnSigmoidBackward"(gradOutput: tensor, output: tensor, gradInput: out);
            }

            /// The gradient of `tanh` from its `result` y: `self (1 − y²)`
            tanh_backward (
                example: [1.0, 1.0], result [0.5, 0.25] => f32 [0.75, 0.9375];
                takes: types("float f64"), shapes: Broadcasting, ..PARAMETRIC
            ) {
                TanhBackward = "aclnnTanhBackward"(gradOutput: tensor, output: tensor, gradInput: out);
            }

            /// The gradient of `silu` at `x`, times `self`
            silu_backward (
                example: [1.0, 1.0], x [-1.0, 1.0] => f32 [0.07232949, 0.92767054];
                takes: types("float"), ..PARAMETRIC
            ) {
                SiluBackward = "aclnnSiluBackward"(gradOutput: tensor, self_: tensor, gradInput: out);
            }

            /// The gradient of `swish` at `x`, times `self`
            swish_backward (
                example: [1.0, 1.0], x [-1.0, 1.0] with beta scalar_or_null = 2.0 => f32 [-0.09078425, 1.0907842];
                takes: types("float"), scalars: RealInF32, ..PARAMETRIC
            ) {
                SwishBackward = "aclnnSwishBackward"(gradOutput: tensor, self_: tensor, betaOptional: scalar_or_null, gradInput: out);
            }

            /// The gradient of `gelu`, in the approximation with tanh, at `x`, times `self`
            gelu_backward (
                example: [1.0, 1.0], x [-1.0, 1.0] => f32 [-0.082964085, 1.0829641];
                takes: types("float"), operands: PromotingTo, shapes: Broadcasting, output: Cast(types("float f64 int uint bool complex bf16")), ..PARAMETRIC
            ) {
                GeluBackward = "aclnnGeluBackward"(gradOutput: tensor, self_: tensor, gradInput: out_const);
            }

            /// The gradient of `gelu_v2` at `x`, times `gradOutput`; `approximate` is the text "none" or "tanh"
            gelu_backward_v2 (
                takes: types("float"), operands: PromotingTo, shapes: Broadcasting, output: Exact, any_rank: true, ..PARAMETRIC
            ) {
                GeluBackwardV2 = "aclnnGeluBackwardV2"(gradOutput: tensor, self_: tensor, approximate: str_mut, gradInput: out);
            }

            /// The gradient of `fast_gelu` at `x`, times `self`
            fast_gelu_backward (
                example: [1.0, 1.0], x [0.0, 30.0] => f32 [0.5, 1.0];
                takes: types("float@910B,950"), ..PARAMETRIC
            ) {
                FastGeluBackward = "aclnnFastGeluBackward"(gradOutput: tensor, self_: tensor, gradInput: out);
            }

            /// The gradient of `mish` at `x`, times `self`
            mish_backward (
                example: [1.0, 1.0], x [-1.0, 1.0] => f32 [0.059216756, 1.0490363];
                takes: types("float"), operands: Promoting, shapes: Broadcasting, output: Any(types("float")), ..PARAMETRIC
            ) {
                MishBackward = "aclnnMishBackward"(gradOutput: tensor, self_: tensor, gradInput: out);
            }

            /// The gradient of `softplus` at `x`, times `self`; f64 is computed in f32
            softplus_backward (
                example: [1.0, 1.0], x [-1.0, 30.0] with beta scalar = 1.0, threshold scalar = 20.0 => f32 [0.26894143, 1.0];
                takes: types("float f64"), operands: Widened, output: Any(types("float f64")), ..PARAMETRIC
            ) {
                SoftplusBackward = "aclnnSoftplusBackward"(gradOutput: tensor, self_: tensor, beta: scalar, threshold: scalar, gradInput: out);
            }

            /// The gradient of `log_sigmoid`: `gradOutput / (1 + e^x)`
            log_sigmoid_backward (takes: types("float"), any_rank: true, ..PARAMETRIC) {
                LogSigmoidBackward = "aclnnLogSigmoidBackward"(gradOutput: tensor, self_: tensor, buffer: tensor, gradInput: out);
            }

            /// The gradient of `elu`, from its argument or from its result
            elu_backward (
                takes: types("float"), requires: NonNegativeIfLast, output: Castable, ..PARAMETRIC
            ) {
                EluBackward = "aclnnEluBackward"(
                    gradOutput: tensor, alpha: scalar, scale: scalar, inputScale: scalar, isResult: bool, selfOrResult: tensor, gradInput: out
                );
            }

            /// The gradient of `selu` from its `result`, times `self`
            selu_backward (
                example: [1.0, 1.0], result [-1.1113307, 1.050701] => f32 [0.64676857, 1.050701];
                takes: types("float i32 i8"), any_rank: true, ..PARAMETRIC
            ) {
                SeluBackward = "aclnnSeluBackward"(gradOutput: tensor, result: tensor, gradInput: out);
            }

            /// The gradient of `leaky_relu` at `x`, times `self`; `x` may be its result if the slope is not negative
            leaky_relu_backward (
                example: [1.0, 1.0], x [-1.0, 1.0] with slope scalar = 0.25, is_result bool = false => f32 [0.25, 1.0];
                takes: types("float f64"), operands: Promoting, shapes: Broadcasting, scalars: RealInF32, requires: NonNegativeIfLast, output: Castable,
                ..PARAMETRIC
            ) {
                LeakyReluBackward = "aclnnLeakyReluBackward"(gradOutput: tensor, self_: tensor, negativeSlope: scalar, selfIsResult: bool, out: out);
            }

            /// The gradient of `hard_swish` at `x`, times `self`; at −3 and 3 by the formula between them
            hard_swish_backward (
                example: [1.0, 1.0], x [0.0, 3.0] => f32 [0.5, 1.5];
                takes: types("float"), ..PARAMETRIC
            ) {
                HardswishBackward = "aclnnHardswishBackward"(gradOutput: tensor, self_: tensor, out: out);
            }

            /// The gradient of `hard_swish` at `x`, times `self`; 0 at −3, and 1 at 3
            hard_swish_backward_v2 (
                example: [1.0, 1.0], x [0.0, 3.0] => f32 [0.5, 1.0];
                takes: types("float"), ..PARAMETRIC
            ) {
                HardswishBackwardV2 = "aclnnHardswishBackwardV2"(gradOutput: tensor, self_: tensor, out: out);
            }

            /// The gradient of `hard_sigmoid` at `x`, times `self`
            hard_sigmoid_backward (
                example: [3.0, 3.0], x [0.0, 4.0] => f32 [0.5, 0.0];
                takes: types("float"), operands: Promoting, output: Castable, ..PARAMETRIC
            ) {
                HardsigmoidBackward = "aclnnHardsigmoidBackward"(gradOutput: tensor, self_: tensor, out: out);
            }

            /// The gradient of `hard_tanh`: `self` where `x` is between the bounds or NaN, and otherwise 0
            hard_tanh_backward (
                example: [0.5, 0.5], x [0.0, 4.0] with min scalar = -1.0, max scalar = 1.0 => f32 [0.5, 0.0];
                takes: types("float"), output: Any(types("float")), ..PARAMETRIC
            ) {
                HardtanhBackward = "aclnnHardtanhBackward"(gradOutput: tensor, self_: tensor, min: scalar, max: scalar, out: out);
            }

            /// The gradient of `hard_shrink`: `self` where `|x|` is above `lambda` or NaN, and otherwise 0
            hard_shrink_backward (
                example: [0.5, 0.5], x [-0.25, 2.0] with lambda scalar = 0.5 => f32 [0.0, 0.5];
                takes: types("float"), operands: Promoting, shapes: Broadcasting, output: Any(types("float")), ..PARAMETRIC
            ) {
                HardshrinkBackward = "aclnnHardshrinkBackward"(gradOutput: tensor, self_: tensor, lambd: scalar, gradInput: out);
            }

            /// The gradient of `soft_shrink`: `self` where `|x|` is above `lambda` or NaN, and otherwise 0
            soft_shrink_backward (
                example: [0.5, 0.5], x [-0.25, 2.0] with lambda scalar = 0.5 => f32 [0.0, 0.5];
                takes: types("float"), operands: Promoting, shapes: Broadcasting, requires: NonNegative, output: Written(types("float")), ..PARAMETRIC
            ) {
                SoftshrinkBackward = "aclnnSoftshrinkBackward"(gradOutput: tensor, self_: tensor, lambda: scalar, gradInput: out);
            }

            /// `x / (1 + |x|)`
            softsign (takes: types("float@910B,950"), ..PARAMETRIC) {
                Softsign = "aclnnSoftsign"(self_: tensor, out: out_const);
            }

            /// The square of what is positive, and otherwise 0
            squared_relu (takes: types("float@910B,950"), own_phase_one: false, ..PARAMETRIC) {
                SquaredRelu = "aclnnSquaredRelu"(input: tensor, out: out_const);
            }

            /// The Gaussian error linear unit, of which the error function is the polynomial of I-BERT:
            /// `sign(x) (1 − 0.2888 (min(|x|/√2, 1.769) − 1.769)²)`
            fast_gelu_v2 (takes: types("float@910B,950"), ..PARAMETRIC) {
                FastGeluV2 = "aclnnFastGeluV2"(x: tensor, out: out_const);
            }

            /// `min(max(x + 3, 0), 6) / 6`
            hard_sigmoid_v2 (takes: types("float@910B,950"), ..PARAMETRIC) {
                HardsigmoidV2 = "aclnnHardsigmoidV2"(self_: tensor, out: out);
                InplaceHardsigmoidV2 = "aclnnInplaceHardsigmoidV2"(self_: inout_const);
            }

            /// The exponential linear unit, as `elu` computes it
            elu_v2 (takes: types("float@910B,950"), scalars: RealInF32, ..PARAMETRIC) {
                EluV2 = "aclnnEluV2"(self_: tensor, alpha: scalar, scale: scalar, inputScale: scalar, out: out);
            }

            /// `x` where it is above a threshold or NaN, and otherwise `value`
            threshold_v2 (takes: types("float@910B,950 i8@910B,950 u8@910B,950 i16@910B,950 i32@910B,950 i64@910B,950"), operands: AlikeWide, scalars: AsOperands, ..PARAMETRIC) {
                ThresholdV2 = "aclnnThresholdV2"(self_: tensor, threshold: scalar, value: scalar, out: out);
            }

            /// The inverse hyperbolic sine
            asinh_v2 (takes: types("float@910B,950 f64@910B,950"), ..PARAMETRIC) {
                AsinhV2 = "aclnnAsinhV2"(x: tensor, out: out_const);
                AsinhWithAgent = "aclnnAsinhWithAgent"(x: tensor, out: out_const);
            }

            /// The arc sine, in radians
            asin_with_agent (takes: types("float@910B,950"), ..PARAMETRIC) {
                AsinWithAgent = "aclnnAsinWithAgent"(x: tensor, y: out);
            }

            /// The integral of `cos(π t² / 2)` from 0 to `x`
            fresnel_cos (takes: types("float@910B,950"), ..PARAMETRIC) {
                FresnelCos = "aclnnFresnelCos"(x: tensor, out: out);
            }

            /// The integral of `sin(π t² / 2)` from 0 to `x`
            fresnel_sin (takes: types("float@910B,950"), ..PARAMETRIC) {
                FresnelSin = "aclnnFresnelSin"(x: tensor, out: out);
            }

            /// The number below which a normally distributed one is with the probability `x`
            ndtri (takes: types("float@910B,950"), ..PARAMETRIC) {
                Ndtri = "aclnnNdtri"(self_: tensor, out: out);
            }

            /// `x y`, and 0 where `y` is 0, whatever `x` is
            mul_no_nan (takes: types("float@910B,950"), shapes: Broadcasting, ..PARAMETRIC) {
                MulNoNan = "aclnnMulNoNan"(x: tensor, y: tensor, z: out_const);
            }

            /// `scale · leaky_relu(x + bias)`; the bias broadcasts
            fused_bias_leaky_relu (takes: types("f32@910B,950 f16@910B,950"), shapes: Broadcasting, ..PARAMETRIC) {
                FusedBiasLeakyRelu = "aclnnFusedBiasLeakyRelu"(x: tensor, bias: tensor, negativeSlope: f64, scale: f64, out: out_const);
            }

            /// The gradient of `acos` at `x`: `−y_grad / √(1 − x²)`
            acos_grad (takes: types("float@910B,950"), ..PARAMETRIC) {
                AcosGrad = "aclnnAcosGrad"(y_grad: tensor, x: tensor, x_grad: out_const);
            }

            /// The gradient of `acos` at its argument, which is called `y`: `−dy / √(1 − y²)`
            acos_grad_v2 (takes: types("float@910B,950"), ..PARAMETRIC) {
                AcosGradV2 = "aclnnAcosGradV2"(y: tensor, dy: tensor, z: out_const);
            }

            /// The gradient of `asinh` from its result: `dy / cosh(y)`
            asinh_grad (takes: types("float@910B,950"), ..PARAMETRIC) {
                AsinhGrad = "aclnnAsinhGrad"(y: tensor, dy: tensor, z: out);
            }

            /// The gradient of `atan` at `x`: `dy / (1 + x²)`
            atan_grad (takes: types("float@910B,950"), ..PARAMETRIC) {
                AtanGrad = "aclnnAtanGrad"(x: tensor, dy: tensor, dx: out_const);
            }

            /// The gradient of `sqrt` from its result: `dy / (2 y)`
            sqrt_backward (takes: types("float@910B,950"), ..PARAMETRIC) {
                SqrtBackward = "aclnnSqrtBackward"(y: tensor, dy: tensor, z: out);
            }

            /// The gradient of `softsign` at `features`: `gradients / (1 + |features|)²`
            softsign_backward (takes: types("float@910B,950"), ..PARAMETRIC) {
                SoftsignBackward = "aclnnSoftsignBackward"(gradients: tensor, features: tensor, out: out_const);
            }

            /// The gradient of `logit`: `dy / (x (1 − x))` where `x` is between `eps` and `1 − eps`, and otherwise 0; NaN outside
            /// 0 and 1 if `eps` is negative
            logit_grad (takes: types("float@910B,950"), own_phase_one: false, ..PARAMETRIC) {
                LogitGrad = "aclnnLogitGrad"(x: tensor, dy: tensor, eps: f64, out: out_const);
            }

            /// The gradient of `threshold`: `gradOutput` where `self` is above the threshold or NaN, and otherwise 0
            relu_grad_v4 (takes: types("float@910B,950"), ..PARAMETRIC) {
                ReluGradV4 = "aclnnReluGradV4"(gradOutput: tensor, self_: tensor, threshold: scalar, out: out);
            }

            /// `beta c + alpha a b`, element by element
            add_mat_mat_elements (takes: types("float@910B,950"), ..PARAMETRIC) {
                AddMatMatElements = "aclnnAddMatMatElements"(a: tensor, b: tensor, c: tensor, alpha: scalar, beta: scalar, cOut: out);
            }

            /// `beta c + alpha a b`, element by element, where all broadcast
            add_mat_mat_elements_plus (takes: types("float@910B,950"), shapes: Broadcasting, ..PARAMETRIC) {
                AddMatMatElementsPlus = "aclnnAddMatMatElementsPlus"(c: tensor, a: tensor, b: tensor, beta: tensor, alpha: tensor, cOut: out);
            }
        }
    };
}

parametric_operators!(super::info::family);
