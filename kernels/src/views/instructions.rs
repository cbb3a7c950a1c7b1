//! The instructions that loops are compiled for. What a loop computes is the same with all of them.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Those that every processor of the target has.
    Baseline,
    /// AVX2, FMA and F16C: every processor of note that has the first has the others.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The foundation of AVX-512 with BW, DQ and VL, and all of [`Instructions::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// The conversions to bf16, and all of [`Instructions::Avx512`].
    #[cfg(target_arch = "x86_64")]
    Bf16,
    /// NEON, which every processor of this architecture has, in loops that are written for it.
    #[cfg(target_arch = "aarch64")]
    Neon,
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
            #[cfg(target_arch = "aarch64")]
            (Self::Neon, true),
        ];
        all.into_iter().filter_map(|(instructions, are_here)| are_here.then_some(instructions))
    }

    /// Returns whether the processor has AVX2, FMA and F16C, and [`choose`] does not ask for the baseline.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn are_wide() -> bool {
        chosen().instructions != Some(0) && has_avx2()
    }

    /// The widest, unless [`choose`] says otherwise.
    #[inline]
    pub(crate) fn chosen() -> Self {
        static WIDEST: LazyLock<Instructions> =
            LazyLock::new(|| Instructions::of_this_processor().last().unwrap_or(Instructions::Baseline));
        let widest = *WIDEST;
        let number = chosen().instructions;
        number.and_then(|number| Self::of_this_processor().nth(number)).unwrap_or(widest)
    }
}

/// A function of `N` numbers of f32 that is compiled for each set of instructions.
pub(crate) trait Function<const N: usize> {
    /// The function is computed as fast as memory gives its operands, so that vectors of whole lines gain nothing:
    /// processors fetch the next ones later.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "the compiler chooses vectors there"))]
    const IS_BRIEF: bool = false;

    /// Always inlined, since a function is compiled for the instructions of the one that it is inlined into.
    fn at(numbers: [f32; N]) -> f32;

    /// Applies the function to rows of as many numbers as the result has. Always inlined too.
    fn row(operands: [&[f32]; N], out: &mut [f32]);
}

/// Returns the loop of a function with the instructions of this processor.
pub(crate) fn row<const N: usize, F: Function<N>>() -> fn([&[f32]; N], &mut [f32]) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn with_avx2<const N: usize, F: Function<N>>(operands: [&[f32]; N], out: &mut [f32]) {
            F::row(operands, out);
        }
        #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
        fn with_avx512<const N: usize, F: Function<N>>(operands: [&[f32]; N], out: &mut [f32]) {
            F::row(operands, out);
        }
        match Instructions::chosen() {
            // Without fused multiplication and addition, which is a call here, a loop of vectors gains nothing.
            Instructions::Baseline => |operands, out| one_by_one(operands, out, F::at),
            Instructions::Avx512 | Instructions::Bf16 if !F::IS_BRIEF => |operands, out| {
                // SAFETY: only `Instructions::of_this_processor` makes these values, where the processor has them.
                unsafe { with_avx512::<N, F>(operands, out) };
                true
            },
            _ => |operands, out| {
                // SAFETY: as above.
                unsafe { with_avx2::<N, F>(operands, out) };
                true
            },
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    |operands, out| {
        F::row(operands, out);
        true
    }
}

/// Applies a function to rows by a call for each number.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn one_by_one<const N: usize>(operands: [&[f32]; N], out: &mut [f32], function: fn([f32; N]) -> f32) -> bool {
    for (index, out) in out.iter_mut().enumerate() {
        let mut numbers = [0.0; N];
        for (number, operand) in numbers.iter_mut().zip(operands) {
            *number = operand[index];
        }
        *out = function(numbers);
    }
    true
}

/// Defines functions that are compiled for the baseline and once more for AVX2, FMA and F16C; a call runs the chosen one. The
/// generic parameters stand in brackets. What a function calls is compiled with it if it is always inlined, and closures among
/// its arguments if they are short.
macro_rules! for_instructions {
    ($(
        $(#[$attribute:meta])*
        $scope:vis fn $name:ident $([$($generic:tt)*])? ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    )*) => {$(
        $(#[$attribute])*
        $scope fn $name $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c")]
            fn with_avx2 $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? {
                plain($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            if $crate::views::instructions::Instructions::are_wide() {
                // SAFETY: the processor has these instructions.
                return unsafe { with_avx2($($argument),*) };
            }
            plain($($argument),*)
        }
    )*};
}
pub(crate) use for_instructions;

/// Defines functions as [`for_instructions`] does, and compiles them for AVX-512 too: loops that compute much for each element.
macro_rules! for_wide_instructions {
    ($(
        $(#[$attribute:meta])*
        $scope:vis fn $name:ident $([$($generic:tt)*])? ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    )*) => {$(
        $(#[$attribute])*
        $scope fn $name $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                use $crate::views::instructions::Instructions;

                #[target_feature(enable = "avx2,fma,f16c")]
                fn with_avx2 $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }

                #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
                fn with_avx512 $(<$($generic)*>)? ($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }

                match Instructions::chosen() {
                    Instructions::Baseline => plain($($argument),*),
                    // SAFETY: only a processor that has the instructions has this value.
                    Instructions::Avx2 => unsafe { with_avx2($($argument),*) },
                    // SAFETY: as above.
                    Instructions::Avx512 | Instructions::Bf16 => unsafe { with_avx512($($argument),*) },
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            plain($($argument),*)
        }
    )*};
}
pub(crate) use for_wide_instructions;

/// Returns what a loop made, by way of memory: the compiler then keeps it in the widest registers, and not in those that suit
/// what is done with it next.
#[inline(always)]
pub(crate) fn stored<T>(made: T) -> T {
    std::hint::black_box(made)
}

/// The choice of a test among the loops of this thread. Results have the same bits for every choice, but for convolutions, whose
/// products are rounded first where there is no fused multiply-add.
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

/// Whether any thread has ever chosen: the variable of a thread takes a call where the library is a shared one.
static WAS_CHOSEN: AtomicBool = AtomicBool::new(false);

#[inline]
pub(crate) fn chosen() -> Choice {
    if WAS_CHOSEN.load(Ordering::Relaxed) { CHOICE.get() } else { Choice::default() }
}

/// Returns the choice before.
pub fn choose(choice: Choice) -> Choice {
    WAS_CHOSEN.store(true, Ordering::Relaxed);
    CHOICE.replace(choice)
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}
