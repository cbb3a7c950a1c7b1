//! Sets of element types, and the types that an operator takes on each product.

#![allow(clippy::panic, reason = "the lists of declarations are constants, so that the compiler tells")]

use std::fmt;

use crate::dtype::DType;
use crate::product::Product;

/// A set of element types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TypeSet(u64);

const _: () = assert!(DType::ALL.len() <= u64::BITS as usize);

impl TypeSet {
    /// The set without types.
    pub const EMPTY: TypeSet = TypeSet(0);

    /// Returns the set of these types.
    pub const fn of(dtypes: &[DType]) -> TypeSet {
        let (mut bits, mut index) = (0, 0);
        while index < dtypes.len() {
            bits |= 1 << dtypes[index] as u32;
            index += 1;
        }
        TypeSet(bits)
    }

    /// Returns whether the type is in the set.
    pub const fn contains(self, dtype: DType) -> bool {
        self.0 >> dtype as u32 & 1 == 1
    }

    /// Returns whether the set has no type.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the types that are in this set, in the other one, or in both.
    pub const fn union(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 | other.0)
    }

    /// Returns the types of the set, in the order of [`DType::ALL`].
    pub fn iter(self) -> impl Iterator<Item = DType> {
        DType::ALL.iter().copied().filter(move |dtype| self.contains(*dtype))
    }
}

/// Prints the short names: `f32 f16 i8`.
impl fmt::Display for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, dtype) in self.iter().enumerate() {
            write!(f, "{}{dtype}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The element types that an operator takes for an operand, on each product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Types([TypeSet; Product::ALL.len()]);

impl Types {
    /// Reads the list of an operator's declaration: words, each the short name of a type or of a group.
    ///
    /// | group | types |
    /// |---|---|
    /// | `float` | f32, f16; bf16 on the 910B and the 950 |
    /// | `int` | i8, u8, i16, i32, i64 |
    /// | `uint` | u16, u32, u64 |
    /// | `complex` | c64, c128 |
    ///
    /// A word counts for all products, or for those that follow it: `u16@950`, `i16@310P,910B`.
    ///
    /// ```
    /// use aclnn_numerics::{DType, product::Product, types_by_product::Types};
    ///
    /// const TYPES: Types = Types::of("float f64 bool i64 u64@950");
    /// assert!(TYPES.on(Product::Ascend910B).contains(DType::BF16));
    /// assert_eq!(TYPES.on(Product::Ascend910).to_string(), "f32 f16 f64 i64 bool");
    /// ```
    ///
    /// # Panics
    /// If a word is none of these: a declaration is a constant, so this is an error of the compiler.
    pub const fn of(list: &str) -> Types {
        let text = list.as_bytes();
        let (mut sets, mut index) = ([TypeSet::EMPTY; Product::ALL.len()], 0);
        while index < text.len() {
            let word = Word::at(text, index);
            index = word.end + 1;
            if word.letters == 0 {
                continue;
            }
            let named = named(word.letters);
            if word.end == text.len() || text[word.end] == b' ' {
                let mut product = 0;
                while product < sets.len() {
                    sets[product].0 |= named[product].0;
                    product += 1;
                }
                continue;
            }
            loop {
                let product = Word::at(text, index);
                let place = product_index(product.letters);
                sets[place].0 |= named[place].0;
                index = product.end + 1;
                if product.end == text.len() || text[product.end] == b' ' {
                    break;
                }
            }
        }
        Types(sets)
    }

    /// Returns the types on a product.
    pub const fn on(self, product: Product) -> TypeSet {
        self.0[product as usize]
    }
}

/// Returns the types with a name, or of the group with a name, on each product.
const fn named(name: u128) -> [TypeSet; Product::ALL.len()] {
    match name {
        names::FLOAT => GROUP_FLOAT,
        names::INT => [GROUP_INT; Product::ALL.len()],
        names::UINT => [GROUP_UINT; Product::ALL.len()],
        names::COMPLEX => [GROUP_COMPLEX; Product::ALL.len()],
        _ => {
            let mut index = 0;
            while index < names::SHORT.len() && names::SHORT[index] != name {
                index += 1;
            }
            if index == names::SHORT.len() {
                panic!("the list of types has a word that names no type")
            }
            [TypeSet(1 << DType::ALL[index] as u32); Product::ALL.len()]
        }
    }
}

const GROUP_FLOAT: [TypeSet; Product::ALL.len()] = {
    let mut sets = [TypeSet::of(&[DType::F32, DType::F16]); Product::ALL.len()];
    sets[Product::Ascend910B as usize] = TypeSet::of(&[DType::F32, DType::F16, DType::BF16]);
    sets[Product::Ascend950 as usize] = sets[Product::Ascend910B as usize];
    sets
};
const GROUP_INT: TypeSet = TypeSet::of(&[DType::I8, DType::U8, DType::I16, DType::I32, DType::I64]);
const GROUP_UINT: TypeSet = TypeSet::of(&[DType::U16, DType::U32, DType::U64]);
const GROUP_COMPLEX: TypeSet = TypeSet::of(&[DType::C64, DType::C128]);

const fn product_index(name: u128) -> usize {
    match name {
        names::ASCEND_910 => Product::Ascend910 as usize,
        names::ASCEND_310P => Product::Ascend310P as usize,
        names::ASCEND_910B => Product::Ascend910B as usize,
        names::ASCEND_950 => Product::Ascend950 as usize,
        _ => panic!("the list of types has a word for an unknown product"),
    }
}

/// A word of a list, which ends before a blank, an `@`, a comma or the end of the list.
///
/// The bytes of the word are one number: the compiler reads thousands of words when it builds the declarations, and compares
/// numbers faster than text.
struct Word {
    letters: u128,
    end: usize,
}

impl Word {
    const fn at(text: &[u8], start: usize) -> Word {
        let (mut letters, mut end) = (0, start);
        while end < text.len() && !matches!(text[end], b' ' | b'@' | b',') {
            letters = letters << u8::BITS | text[end] as u128;
            end += 1;
        }
        // A longer word names no type, but its last bytes may.
        Word { letters: if end - start > size_of::<u128>() { u128::MAX } else { letters }, end }
    }
}

/// The words of lists, as numbers.
mod names {
    use super::{DType, Word};

    const fn word(text: &str) -> u128 {
        Word::at(text.as_bytes(), 0).letters
    }

    pub(super) const FLOAT: u128 = word("float");
    pub(super) const INT: u128 = word("int");
    pub(super) const UINT: u128 = word("uint");
    pub(super) const COMPLEX: u128 = word("complex");
    pub(super) const ASCEND_910: u128 = word("910");
    pub(super) const ASCEND_310P: u128 = word("310P");
    pub(super) const ASCEND_910B: u128 = word("910B");
    pub(super) const ASCEND_950: u128 = word("950");

    /// The short names of [`DType::ALL`].
    pub(super) const SHORT: [u128; DType::ALL.len()] = {
        let mut names = [0; DType::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = word(DType::ALL[index].short_name());
            index += 1;
        }
        names
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_types_groups_and_products() {
        const TYPES: Types = Types::of("  float i4@950  u16@310P,910B bool ");
        for (product, expected) in [
            (Product::Ascend910, "f32 f16 bool"),
            (Product::Ascend310P, "f32 f16 u16 bool"),
            (Product::Ascend910B, "f32 f16 bf16 u16 bool"),
            (Product::Ascend950, "f32 f16 bf16 bool i4"),
        ] {
            assert_eq!(TYPES.on(product).to_string(), expected, "{product:?}");
        }
        assert!(Types::of("").on(Product::Ascend910).is_empty());
        assert_eq!(Types::of("int uint complex").on(Product::Ascend950).iter().count(), 10);
    }

    #[test]
    #[should_panic = "names no type"]
    fn an_unknown_word_is_refused() {
        Types::of("f32 f31");
    }
}
