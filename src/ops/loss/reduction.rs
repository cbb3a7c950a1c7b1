//! The ways to combine the losses of elements.

use std::ffi::CStr;

use aclnn_numerics::Shape;

/// The combination of the losses of all elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LossReduction {
    /// They are not: there is a loss for each element.
    None,
    /// Their mean. That of no losses is NaN.
    #[default]
    Mean,
    /// Their sum.
    Sum,
    /// Their sum, divided by the size of the first axis. [`kl_div`](crate::ops::kl_div) alone has it.
    BatchMean,
}

impl LossReduction {
    /// The number for the library.
    #[inline]
    pub(super) fn code(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Mean => 1,
            Self::Sum => 2,
            Self::BatchMean => 3,
        }
    }

    /// The text for the library.
    #[inline]
    pub(super) fn text(self) -> &'static CStr {
        match self {
            Self::None => c"none",
            Self::Mean | Self::BatchMean => c"mean",
            Self::Sum => c"sum",
        }
    }

    /// The shape of the result, of losses of `shape`.
    #[inline]
    pub(super) fn shape(self, shape: &Shape) -> Shape {
        if self == Self::None { shape.clone() } else { Shape::scalar() }
    }
}

/// Expands to what losses of rows with a class each have alike: two options, and the operands under their names.
macro_rules! of_classes {
    ($Type:ident) => {
        impl<'a> $Type<'a> {
            /// Sets a class whose rows count for nothing; the default is −100.
            #[inline]
            pub fn ignore_index(mut self, class: i64) -> Self {
                self.ignored = class;
                self
            }

            /// Sets how the losses of rows are combined; the default is their mean.
            #[inline]
            pub fn reduction(mut self, reduction: $crate::ops::loss::reduction::LossReduction) -> Self {
                self.reduction = reduction;
                self
            }

            #[inline]
            fn operation<'o>(&'o self, name: &'static str) -> $crate::argument_checks::Operation<'o> {
                let stream = self.stream.unwrap_or(self.own.stream());
                let operation = $crate::argument_checks::Operation::new(name, stream);
                let operation = operation.tensor("self", self.own).tensor("target", self.target);
                match self.weight {
                    Some(weight) => operation.tensor("weight", weight),
                    None => operation,
                }
            }
        }
    };
}

pub(super) use of_classes;
