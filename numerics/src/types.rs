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
    /// use aclnn_numerics::{DType, product::Product, types::Types};
    ///
    /// const TYPES: Types = Types::of("float f64 bool i64 u64@950");
    /// assert!(TYPES.on(Product::Ascend910B).contains(DType::BF16));
    /// assert_eq!(TYPES.on(Product::Ascend910).to_string(), "f32 f16 f64 i64 bool");
    /// ```
    ///
    /// # Panics
    /// If a word is none of these: a declaration is a constant, so this is an error of the compiler.
    pub const fn of(list: &str) -> Types {
        let mut sets = [TypeSet::EMPTY; Product::ALL.len()];
        let mut rest = list.as_bytes();
        while let Some((word, after)) = next_word(rest, b' ') {
            rest = after;
            let (name, mut products) = match split(word, b'@') {
                Some((name, products)) => (name, Some(products)),
                None => (word, None),
            };
            let named = named(name);
            match &mut products {
                None => {
                    let mut index = 0;
                    while index < sets.len() {
                        sets[index] = sets[index].union(named[index]);
                        index += 1;
                    }
                }
                Some(products) => {
                    while let Some((product, after)) = next_word(products, b',') {
                        *products = after;
                        let index = product_index(product);
                        sets[index] = sets[index].union(named[index]);
                    }
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
const fn named(name: &[u8]) -> [TypeSet; Product::ALL.len()] {
    use DType::{BF16, C64, C128, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
    let types = match name {
        b"float" => {
            let mut sets = [TypeSet::of(&[F32, F16]); Product::ALL.len()];
            sets[Product::Ascend910B as usize] = TypeSet::of(&[F32, F16, BF16]);
            sets[Product::Ascend950 as usize] = TypeSet::of(&[F32, F16, BF16]);
            return sets;
        }
        b"int" => TypeSet::of(&[I8, U8, I16, I32, I64]),
        b"uint" => TypeSet::of(&[U16, U32, U64]),
        b"complex" => TypeSet::of(&[C64, C128]),
        _ => {
            let name = packed(name);
            let mut index = 0;
            while index < SHORT_NAMES.len() && SHORT_NAMES[index] != name {
                index += 1;
            }
            if index == SHORT_NAMES.len() {
                panic!("the list of types has a word that names no type")
            }
            TypeSet::of(&[DType::ALL[index]])
        }
    };
    [types; Product::ALL.len()]
}

/// The short names of [`DType::ALL`], packed: the compiler reads thousands of words when it builds the declarations, and
/// compares numbers faster than text.
const SHORT_NAMES: [u128; DType::ALL.len()] = {
    let mut names = [0; DType::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = packed(DType::ALL[index].short_name().as_bytes());
        index += 1;
    }
    names
};

/// Returns a word as one number; words of more than 16 bytes, which name no type, become 0.
const fn packed(word: &[u8]) -> u128 {
    if word.len() > size_of::<u128>() {
        return 0;
    }
    let (mut number, mut index) = (0, 0);
    while index < word.len() {
        number = number << u8::BITS | word[index] as u128;
        index += 1;
    }
    number
}

const fn product_index(name: &[u8]) -> usize {
    match name {
        b"910" => Product::Ascend910 as usize,
        b"310P" => Product::Ascend310P as usize,
        b"910B" => Product::Ascend910B as usize,
        b"950" => Product::Ascend950 as usize,
        _ => panic!("the list of types has a word for an unknown product"),
    }
}

/// Splits at the first separator.
const fn split(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let mut index = 0;
    while index < text.len() {
        if text[index] == separator {
            let (before, from) = text.split_at(index);
            return Some((before, from.split_at(1).1));
        }
        index += 1;
    }
    None
}

/// Returns the first word and what follows it; `None` at the end.
const fn next_word(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let mut text = text;
    while let [first, rest @ ..] = text
        && *first == separator
    {
        text = rest;
    }
    if text.is_empty() {
        return None;
    }
    Some(match split(text, separator) {
        Some(parts) => parts,
        None => (text, &[]),
    })
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
