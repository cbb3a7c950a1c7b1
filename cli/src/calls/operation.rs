//! A call whose arguments are ready: its plan, and its results.

use aclnn::ops::{
    Attributes, Binary, BinaryInPlace, Elementwise, Join, Matmul, Parametric, Reduction, Scan, SearchSorted,
    Select, Sort, TopK, Unary,
};
use aclnn::{DType, Edition, Policy, Tensor};
use anyhow::{Result, bail};

/// What a caller may set for any operator.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// The type of the result.
    pub(crate) dtype: Option<DType>,
    pub(crate) edition: Option<Edition>,
    pub(crate) policy: Option<Policy>,
    /// Whether the call is planned and not made.
    pub(crate) plans_only: bool,
}

impl Options {
    /// Refuses options that a function does not have.
    fn only(&self, known: &[&str]) -> Result<()> {
        let given = [
            ("dtype", self.dtype.is_some()),
            ("edition", self.edition.is_some()),
            ("policy", self.policy.is_some()),
        ];
        match given.into_iter().find(|(name, is_given)| *is_given && !known.contains(name)) {
            Some(("dtype", _)) => bail!(
                "it has no option --dtype: its result has the type that the operands give; convert a result with `aclnn cast`"
            ),
            Some((name, _)) => bail!("it has no option --{name}"),
            None => Ok(()),
        }
    }
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The launches, as the safe layer plans them; `None` for functions that show no plan.
    pub(crate) plan: Option<String>,
    /// The results; none if the call was only planned.
    pub(crate) results: Vec<Tensor>,
}

/// A call that has its arguments.
pub(super) trait Operation {
    fn carry_out(self, options: &Options) -> Result<Outcome>;
}

/// A call without a plan.
pub(super) struct Direct<F>(pub(super) F);

/// Returns a call that changes the elements of a tensor, which is the result.
pub(super) fn changed(
    own: Tensor,
    change: impl FnOnce(&mut Tensor) -> aclnn::Result<()>,
) -> Direct<impl FnOnce() -> aclnn::Result<Tensor>> {
    Direct(move || {
        let mut own = own;
        change(&mut own)?;
        Ok(own)
    })
}

/// Tensors that a call returns.
pub(super) trait Results {
    fn into_tensors(self) -> Vec<Tensor>;
}

impl Results for Tensor {
    fn into_tensors(self) -> Vec<Tensor> {
        vec![self]
    }
}

impl Results for (Tensor, Tensor) {
    fn into_tensors(self) -> Vec<Tensor> {
        vec![self.0, self.1]
    }
}

impl Results for (Tensor, Tensor, Tensor) {
    fn into_tensors(self) -> Vec<Tensor> {
        vec![self.0, self.1, self.2]
    }
}

impl Results for Vec<Tensor> {
    fn into_tensors(self) -> Vec<Tensor> {
        self
    }
}

impl<R: Results, F: FnOnce() -> aclnn::Result<R>> Operation for Direct<F> {
    fn carry_out(self, options: &Options) -> Result<Outcome> {
        options.only(&[])?;
        let results = if options.plans_only { Vec::new() } else { (self.0)()?.into_tensors() };
        Ok(Outcome { plan: None, results })
    }
}

/// Expands to operations that have a plan, with the options that they have.
macro_rules! planned {
    ($([$($generic:tt)*] $Type:ty: $($option:ident)*;)*) => {$(
        impl<$($generic)*> Operation for $Type {
            fn carry_out(self, options: &Options) -> Result<Outcome> {
                options.only(&[$(stringify!($option)),*])?;
                let operation = self;
                $(let operation = match options.$option {
                    Some(value) => operation.$option(value),
                    None => operation,
                };)*
                let plan = Some(operation.plan()?.to_string());
                let results = if options.plans_only { Vec::new() } else { operation.run()?.into_tensors() };
                Ok(Outcome { plan, results })
            }
        }
    )*};
}

planned! {
    [] Unary<'_>: dtype;
    [const SCALED: bool] Binary<'_, SCALED>: dtype edition policy;
    [] Parametric<'_>: dtype;
    [A: Attributes] Elementwise<'_, A>: dtype edition policy;
    [const CORRECTED: bool] Reduction<'_, 1, CORRECTED>: dtype;
    [const CORRECTED: bool] Reduction<'_, 2, CORRECTED>: dtype;
    [const SUMS: bool] Scan<'_, SUMS>: dtype;
    [] Matmul<'_>: dtype;
    [] Join<'_>: dtype edition policy;
    [] SearchSorted<'_>: dtype edition policy;
    [] Select<'_>: ;
    [] Sort<'_>: ;
    [] TopK<'_>: ;
}

/// An operation in place, and its first operand, which it shares.
pub(super) struct InPlace<'a, const SCALED: bool>(pub(super) BinaryInPlace<'a, SCALED>, pub(super) Tensor);

impl<const SCALED: bool> Operation for InPlace<'_, SCALED> {
    fn carry_out(self, options: &Options) -> Result<Outcome> {
        options.only(&["edition", "policy"])?;
        let InPlace(mut operation, target) = self;
        if let Some(edition) = options.edition {
            operation = operation.edition(edition);
        }
        if let Some(policy) = options.policy {
            operation = operation.policy(policy);
        }
        let plan = Some(operation.plan()?.to_string());
        if options.plans_only {
            return Ok(Outcome { plan, results: Vec::new() });
        }
        operation.run()?;
        Ok(Outcome { plan, results: vec![target] })
    }
}
