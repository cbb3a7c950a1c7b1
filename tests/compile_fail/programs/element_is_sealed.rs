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
