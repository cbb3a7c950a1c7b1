//! What a node gives.

use aclnn::Tensor;
use smallvec::{SmallVec, smallvec};

use crate::array::Array;
use crate::value::Value;

/// The outputs of a node, in their order.
pub(crate) struct Values(pub(super) SmallVec<[Option<Value>; 2]>);

impl Values {
    /// Returns outputs of which some may be left out.
    pub(crate) fn optional(values: impl IntoIterator<Item = Option<Value>>) -> Values {
        Values(values.into_iter().collect())
    }
}

macro_rules! one {
    ($($type:ty)*) => {$(
        impl From<$type> for Values {
            fn from(value: $type) -> Self {
                Values(smallvec![Some(value.into())])
            }
        }
    )*};
}

one!(Tensor Array Value);

impl<A: Into<Value>, B: Into<Value>> From<(A, B)> for Values {
    fn from((a, b): (A, B)) -> Self {
        Values(smallvec![Some(a.into()), Some(b.into())])
    }
}

impl<A: Into<Value>, B: Into<Value>, C: Into<Value>> From<(A, B, C)> for Values {
    fn from((a, b, c): (A, B, C)) -> Self {
        Values(smallvec![Some(a.into()), Some(b.into()), Some(c.into())])
    }
}

impl<V: Into<Value>> From<Vec<V>> for Values {
    fn from(values: Vec<V>) -> Self {
        values.into_iter().collect()
    }
}

impl<V: Into<Value>> FromIterator<V> for Values {
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Self {
        Values(values.into_iter().map(|value| Some(value.into())).collect())
    }
}
