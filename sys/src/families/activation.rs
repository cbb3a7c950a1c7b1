//! Activations that combine elements: gated linear units, their gradients, and the gradient of a weight.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! activation_operators {
    ($callback:path) => {
        $callback! {
            activation, Wide:

            /// The first half times the sigmoid of the second half
            glu (takes: types("float f64"), output: CastableTo(types("float f64"))) {
                Glu = "aclnnGlu"(self_: tensor, dim: i64, out: out_const);
            }

            /// The gradient of glu
            glu_backward (takes: types("float f64"), output: Own) {
                GluBackward = "aclnnGluBackward"(gradOut: tensor, self_: tensor, dim: i64, out: out_const);
            }

            /// The second half times the SiLU of the first half
            swi_glu (takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@910B,950"), output: Own) {
                SwiGlu = "aclnnSwiGlu"(x: tensor, dim: i64, out: out);
            }

            /// The gradient of swi_glu
            swi_glu_grad (takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@910B,950"), output: Own) {
                SwiGluGrad = "aclnnSwiGluGrad"(yGrad: tensor, x: tensor, dim: i64, out: out);
            }

            /// One half times the GELU of the other half
            ge_glu (takes: types("float"), output: Own) {
                GeGlu = "aclnnGeGlu"(self_: tensor, dim: i64, approximate: i64, out: out, outGelu: out);
                GeGluV3 = "aclnnGeGluV3"(
                    self_: tensor, dim: i64, approximate: i64, activateLeft: bool, out: out, outGelu: out
                );
            }

            /// The gradient of ge_glu
            ge_glu_backward (takes: types("float"), output: Own) {
                GeGluBackward = "aclnnGeGluBackward"(
                    gradOutput: tensor, self_: tensor, gelu: tensor, dim: i64, approximate: i64, gradInput: out
                );
                GeGluV3Backward = "aclnnGeGluV3Backward"(
                    gradOutput: tensor, self_: tensor, gelu: tensor, dim: i64, approximate: i64, activateLeft: bool,
                    gradInput: out
                );
            }

            /// The GELU of the first half of the last axis times the second half; null approximates nothing
            gelu_mul (takes: types("float@910B,950"), output: Own) {
                GeluMul = "aclnnGeluMul"(input: tensor, approximateOptional: str_mut, out: out_const);
            }

            /// The first half of the last axis where it is above a threshold, and otherwise 0, times the second half
            fatrelu_mul (takes: types("float@910B,950"), output: Own) {
                FatreluMul = "aclnnFatreluMul"(input: tensor, threshold: tensor, out: out_const);
            }

            /// The SiLU of the first half of the last axis, which is at most a limit, times the second half within it
            swiglu_clamp (takes: types("float@910B,950"), output: Own) {
                SwigluClamp = "aclnnSwigluClamp"(x: tensor, limit: f64, y: out);
            }

            /// The gradient of clipped_swiglu; rows behind the last group get one too
            clipped_swiglu_grad (takes: types("float@910B,950"), output: Own) {
                ClippedSwigluGrad = "aclnnClippedSwigluGrad"(
                    gradY: tensor, x: tensor, groupIndexOptional: tensor_or_null, dim: i64, alpha: f64, limit: f64,
                    bias: f64, interleaved: bool, gradXOut: out_const
                );
            }

            /// The gradients of prelu
            prelu_backward (takes: types("float"), output: Own) {
                PreluBackward = "aclnnPreluBackward"(
                    gradOutput: tensor, self_: tensor, weight: tensor, gradInput: out, gradWeight: out
                );
            }
        }
    };
}

activation_operators!(super::info::family);
