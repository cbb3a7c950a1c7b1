//! Support for the feature `serde`: element types are written as their short names, shapes as lists of sizes.

use std::fmt;

use serde_core::de::{Error, SeqAccess, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

use crate::{DType, Shape};

/// Feature `serde`: writes the short name.
impl Serialize for DType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.short_name())
    }
}

/// Feature `serde`: reads any of the names that `FromStr` parses, without regard to case.
impl<'de> Deserialize<'de> for DType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DType, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = DType;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an element type, one of")?;
                DType::ALL.iter().try_for_each(|dtype| write!(f, " {dtype}"))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<DType, E> {
                name.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Name)
    }
}

/// Feature `serde`: writes the list of sizes.
impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Feature `serde`: reads the list of sizes.
impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shape, D::Error> {
        struct Sizes;

        impl<'de> Visitor<'de> for Sizes {
            type Value = Shape;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a shape: a list of the sizes of its axes, such as [2, 3], or [] for a single element",
                )
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
                let mut sizes = SmallVec::<[usize; 8]>::new();
                while let Some(size) = list.next_element()? {
                    sizes.push(size);
                }
                Ok(sizes.into_iter().collect())
            }
        }

        deserializer.deserialize_seq(Sizes)
    }
}
