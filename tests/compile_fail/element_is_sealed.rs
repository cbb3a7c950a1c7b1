//! Nobody declares elements of their own, with bytes that mean something else.

use aclnn::{DType, Element};

#[derive(Debug, Clone, Copy, PartialEq)]
struct Reference(&'static str);

impl Element for Reference {
    const DTYPE: DType = DType::I64;

    fn as_bytes(_: &[Self]) -> &[u8] {
        &[]
    }

    fn as_bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }

    fn from_bytes(_: &[u8]) -> Vec<Self> {
        Vec::new()
    }

    fn read_first(_: &[u8]) -> Option<Self> {
        None
    }
}

fn main() {}

// error[E0277]: the trait bound `Reference: element::sealed::Sealed` is not satisfied
//   line 8: unsatisfied trait bound
//   help: the trait `element::sealed::Sealed` is not implemented for `Reference`
//     line 6
//   note: required by a bound in `aclnn::Element`
//     numerics/src/element.rs: required by this bound in `Element`
//   note: `Element` is a "sealed trait", because to implement it you also need to implement `aclnn::element::sealed::Sealed`, which is not accessible; this is usually done to force you to use one of the provided types that already implement it
