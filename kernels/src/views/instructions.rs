//! The instructions that loops are compiled for. What a loop computes is the same with all of them.

use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Those that every processor of the target has.
    Baseline,
    /// AVX2 and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The foundation of AVX-512 with BW, DQ and VL, and all of [`Instructions::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// The conversions to bf16, and all of [`Instructions::Avx512`].
    #[cfg(target_arch = "x86_64")]
    Bf16,
}

impl Instructions {
    /// Those of this processor, the widest last.
    pub(crate) fn of_this_processor() -> impl Iterator<Item = Self> {
        let all = [
            (Self::Baseline, true),
            #[cfg(target_arch = "x86_64")]
            (Self::Avx2, has_avx2()),
            #[cfg(target_arch = "x86_64")]
            (Self::Avx512, has_avx512()),
            #[cfg(target_arch = "x86_64")]
            (Self::Bf16, has_avx512() && is_x86_feature_detected!("avx512bf16")),
        ];
        all.into_iter().filter_map(|(instructions, are_here)| are_here.then_some(instructions))
    }

    /// The widest, unless [`choose`] says otherwise.
    pub(crate) fn chosen() -> Self {
        let most = chosen().instructions.unwrap_or(usize::MAX).saturating_add(1);
        Self::of_this_processor().take(most).last().unwrap_or(Self::Baseline)
    }
}

/// A loop that is compiled for each set of instructions. Functions of elements that it has inside are methods of a trait too:
/// a long closure stays a call, and the loop does not become one of vectors.
pub(crate) trait Loop {
    /// Always inlined, since a function is compiled for the instructions of the one that it is inlined into.
    fn run(self);
}

/// Runs a loop with the instructions of this processor.
pub(crate) fn run<L: Loop>(this: L) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,f16c")]
        fn with_avx2<L: Loop>(this: L) {
            this.run();
        }
        #[target_feature(enable = "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
        fn with_avx512<L: Loop>(this: L) {
            this.run();
        }
        // SAFETY: only `Instructions::of_this_processor` makes these values, where the processor has them.
        unsafe {
            match Instructions::chosen() {
                Instructions::Baseline => {}
                Instructions::Avx2 => return with_avx2(this),
                Instructions::Avx512 | Instructions::Bf16 => return with_avx512(this),
            }
        }
    }
    this.run();
}

/// What a test chooses of the loops of this thread; results have the same bits for every choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice {
    /// The number of a set of instructions, from the baseline on.
    pub instructions: Option<usize>,
    /// The most elements of a block.
    pub block: Option<usize>,
}

thread_local! {
    static CHOICE: Cell<Choice> = const { Cell::new(Choice { instructions: None, block: None }) };
}

pub(crate) fn chosen() -> Choice {
    CHOICE.get()
}

/// Returns the choice before.
pub fn choose(choice: Choice) -> Choice {
    CHOICE.replace(choice)
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}
