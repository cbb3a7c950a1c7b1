//! Numbers in steps: integers of them, and floats as these integers would give them back.
//!
//! CANN's description does not say what these operators compute: that here are PyTorch's functions of their names.

/// Calls `$callback!` with the operators that quantise.
#[macro_export]
macro_rules! quantisation_operators {
    ($callback:path) => {
        $callback! {
            quantisation, Wide:

            /// The nearest whole numbers of steps, from a zero point on, in a type of integers
            quantize (takes: types("float"), output: Any(types("i8 u8 i32"))) {
                Quantize = "aclnnQuantize"(
                    x: tensor, scales: tensor, zeroPoints: tensor, dtype: dtype, axis: i32, out: out
                );
            }

            /// Each element in whole steps within a range, and whether it was within it; the same step for all
            fake_quantize_per_tensor (takes: types("float"), output: Own) {
                FakeQuantPerTensorAffineCachemask = "aclnnFakeQuantPerTensorAffineCachemask"(
                    self_: tensor, scale: tensor, zeroPoint: tensor, fakeQuantEnabled: f32, quantMin: i64, quantMax: i64,
                    out: out, mask: out
                );
            }

            /// Each element in whole steps within a range, and whether it was within it; a step for each index of an axis
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
