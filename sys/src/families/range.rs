//! Sequences of evenly spaced numbers, generated on the device.

/// Calls `$callback!` with the range operators.
#[macro_export]
macro_rules! range_operators {
    ($callback:path) => {
        $callback! {
            range, Sequence:

            /// `start + i · step` for every `i` that stays before `end`
            arange (takes: types("float f64 i32 i64"), scalars: types("float f64 int bool")) {
                Arange = "aclnnArange"(start: scalar, end: scalar, step: scalar, out: out);
            }

            /// `start + i · step` for every `i` up to and including `end`
            range (takes: types("float f64 i32 i64"), scalars: types("float f64 int bool")) {
                Range = "aclnnRange"(start: scalar, end: scalar, step: scalar, out: out);
            }

            /// `steps` numbers from `start` to exactly `end`
            linspace (
                takes: types("f32 f16 f64 i8 u8 i32 bf16@910B,950 i16@910B,950 i64@910B,950"),
                scalars: types("f32 f16 f64 bf16 int uint bool")
            ) {
                Linspace = "aclnnLinspace"(start: scalar, end: scalar, steps: i64, out: out);
            }

            /// `base` to the power of `steps` numbers from `start` to exactly `end`. CANN's description has no types: those here are the floats of the other functions
            logspace (takes: types("float f64"), scalars: types("f32 f16 f64 bf16 int uint bool")) {
                LogSpace = "aclnnLogSpace"(start: scalar, end: scalar, steps: i64, base: f64, result: out_const) since "9.0.0";
            }
        }
    };
}

range_operators!(super::info::family);
