//! Sequences of evenly spaced numbers, generated on the device.

/// Calls `$callback!` with the range operators.
#[macro_export]
macro_rules! range_operators {
    ($callback:path) => {
        $callback! {
            range, Sequence:

            /// `start + i · step` for every `i` that stays before `end`
            arange in "aclnn_arange.h" {
                Arange(start: scalar, end: scalar, step: scalar, out: out);
            }

            /// `start + i · step` for every `i` up to and including `end`
            range in "aclnn_range.h" {
                Range(start: scalar, end: scalar, step: scalar, out: out);
            }

            /// `steps` numbers from `start` to exactly `end`
            linspace in "aclnn_linspace.h" {
                Linspace(start: scalar, end: scalar, steps: i64, out: out);
            }
        }
    };
}

range_operators!(super::info::family);
