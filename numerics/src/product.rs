//! The Ascend products, which differ in the element types that their operators take.

use crate::DType::{self, *};

/// A line of Ascend products whose operators take the same element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    /// Ascend 910, the first training series, which has no bf16.
    Ascend910,
    /// Ascend 310P, the inference series, which takes the same element types as the 910.
    Ascend310P,
    /// Ascend 910B and 910_93 (Atlas A2 and A3).
    Ascend910B,
    /// Ascend 950.
    Ascend950,
}

/// A list of element types that several operators share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeList {
    /// Tensor operands of Add, Sub, Mul, Div and their forms.
    Arithmetic,
    /// Operands of Rsub and Rsubs.
    ReverseSub,
    /// Sources and targets of Cast; i4 is a target only.
    Cast,
    /// Both operands of InplaceCopy.
    Copy,
    /// Targets of InplaceFillScalar.
    Fill,
    /// Targets of InplaceZero.
    Zero,
    /// Targets of InplaceOne.
    One,
    /// Scalars of Arange and Range.
    RangeScalar,
    /// Outputs of Arange and Range.
    Range,
    /// Outputs of Linspace.
    Linspace,
}

impl Product {
    /// Returns the product with this SoC name, as `aclrtGetSocName` reports it: `Ascend910B1`, `Ascend310P3`. `None`
    /// for other names.
    pub fn from_soc_name(name: &str) -> Option<Product> {
        let model = name.trim().strip_prefix("Ascend")?;
        [
            ("910B", Product::Ascend910B),
            ("910_93", Product::Ascend910B),
            ("910", Product::Ascend910),
            ("310P", Product::Ascend310P),
            ("950", Product::Ascend950),
        ]
        .into_iter()
        .find_map(|(prefix, product)| model.starts_with(prefix).then_some(product))
    }

    /// Returns the element types that the operators of `list` take, in the order of CANN's description.
    pub fn types(self, list: TypeList) -> &'static [DType] {
        use Product::{Ascend310P, Ascend910, Ascend910B, Ascend950};
        match (list, self) {
            (TypeList::Arithmetic, Ascend910 | Ascend310P) => {
                &[F32, F16, F64, I8, U8, I16, I32, I64, Bool, C64, C128]
            }
            (TypeList::Arithmetic, _) => &[F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool, C64, C128],
            (TypeList::ReverseSub, Ascend910 | Ascend310P) => {
                &[F32, F16, F64, I8, U8, I16, I32, I64, C64, C128]
            }
            (TypeList::ReverseSub, _) => &[F32, F16, F64, BF16, I8, U8, I16, I32, I64, C64, C128],
            (TypeList::Cast, Ascend910 | Ascend310P) => {
                &[F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, C64, C128]
            }
            (TypeList::Cast, Ascend910B) => {
                &[F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, C64, C128, BF16]
            }
            (TypeList::Cast, Ascend950) => &[
                F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, C64, C128, BF16, C32, HiF8,
                F8E5M2, F8E4M3FN, F4E2M1, F4E1M2, I4,
            ],
            (TypeList::Copy, _) => &[
                I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool, C64, C128, BF16, F8E5M2, F8E4M3FN,
                HiF8, F8E8M0,
            ],
            (TypeList::Fill, Ascend910 | Ascend310P) => {
                &[F32, F16, F64, I8, U8, I16, I32, I64, Bool, C64, C128]
            }
            (TypeList::Fill, _) => {
                &[F32, F16, F64, BF16, I8, U8, I16, U16, I32, U32, I64, U64, Bool, C64, C128]
            }
            (TypeList::Zero, _) => &[F32, F16, F64, BF16, I8, U8, I16, U16, I32, I64, Bool, C64, C128],
            (TypeList::One, Ascend910 | Ascend310P) => &[F32, F16, F64, I8, U8, I16, I32, I64, Bool],
            (TypeList::One, _) => &[F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool],
            (TypeList::RangeScalar, Ascend910 | Ascend310P) => &[F32, F16, F64, I8, U8, I16, I32, I64, Bool],
            (TypeList::RangeScalar, _) => &[F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool],
            (TypeList::Range, Ascend910 | Ascend310P) => &[F32, F16, F64, I32, I64],
            (TypeList::Range, _) => &[F32, F16, F64, BF16, I32, I64],
            (TypeList::Linspace, Ascend910 | Ascend310P) => &[F32, F16, F64, I8, U8, I32],
            (TypeList::Linspace, _) => &[F32, F16, F64, BF16, I8, U8, I16, I32, I64],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soc_names_are_told_apart() {
        for (name, product) in [
            ("Ascend910B1", Some(Product::Ascend910B)),
            ("Ascend910_9391", Some(Product::Ascend910B)),
            ("Ascend910A", Some(Product::Ascend910)),
            ("Ascend910ProB", Some(Product::Ascend910)),
            ("Ascend310P3", Some(Product::Ascend310P)),
            ("Ascend950PR", Some(Product::Ascend950)),
            ("Ascend310B1", None),
            ("", None),
        ] {
            assert_eq!(Product::from_soc_name(name), product, "{name}");
        }
    }
}
