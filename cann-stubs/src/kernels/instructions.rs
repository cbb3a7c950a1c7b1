//! The instructions that loops are compiled for. What a loop computes is the same with all of them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// Those that every processor of the target has.
    Baseline,
    /// AVX2 and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The foundation of AVX-512 with BW, DQ and VL, and all of [`Instructions::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Those of this processor, the widest last.
    pub(crate) fn of_this_processor() -> impl DoubleEndedIterator<Item = Self> {
        let all = [
            (Self::Baseline, true),
            #[cfg(target_arch = "x86_64")]
            (Self::Avx2, has_avx2()),
            #[cfg(target_arch = "x86_64")]
            (Self::Avx512, has_avx512()),
        ];
        all.into_iter().filter_map(|(instructions, are_here)| are_here.then_some(instructions))
    }

    pub(crate) fn widest() -> Self {
        Self::of_this_processor().next_back().unwrap_or(Self::Baseline)
    }
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
