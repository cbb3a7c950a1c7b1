//! Quantisation: integers that count steps, and floats rounded to the values of such integers.
//!
//! CANN's description does not say what these operators compute: here they are PyTorch's functions of the same names.

/// Calls `$callback!` with the operators that quantise.
#[macro_export]
macro_rules! quantisation_operators {
    ($callback:path) => {
        $callback! {
            quantisation, Wide:

            /// Quantised elements: the nearest whole numbers of steps from a zero point, in an integer type
            quantize (takes: types("float"), output: Any(types("i8 u8 i32"))) {
                Quantize = "aclnnQuantize"(
                    x: tensor, scales: tensor, zeroPoints: tensor, dtype: dtype, axis: i32, out: out
                );
            }

            /// Each element rounded to whole steps within a range, and whether it was within the range; one step for all elements
            fake_quantize_per_tensor (takes: types("float"), output: Own) {
                FakeQuantPerTensorAffineCachemask = "aclnnFakeQuantPerTensorAffineCachemask"(
                    self_: tensor, scale: tensor, zeroPoint: tensor, fakeQuantEnabled: f32, quantMin: i64, quantMax: i64,
                    out: out, mask: out
                );
            }

            /// Each element rounded to whole steps within a range, and whether it was within the range; one step for each index of an axis
            fake_quantize_per_channel (takes: types("float"), output: Own) {
                FakeQuantPerChannelAffineCachemask = "aclnnFakeQuantPerChannelAffineCachemask"(
                    self_: tensor, scale: tensor, zeroPoint: tensor, axis: i64, quantMin: i64, quantMax: i64, out: out,
                    mask: out
                );
            }
        }
    };
}

quantisation_operators!(super::info::family);
