//! [`Id`]: by which the ranks of a new group find each other.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use aclnn_sys::{HCCL_ROOT_INFO_BYTES, HcclRootInfo};

use crate::device::Device;
use crate::error::{Error, Operands, Result};

/// The root information of a new group, by which its ranks find each other.
///
/// One process makes it, and carries the same bytes to each rank by any means: a variable, a file, a socket. It is a
/// secret: who has it can join the group in place of a rank. So `Debug` does not print it, and there is no `Display`.
///
/// A group takes an id for itself: make a new one for each. The process that made it lives until all ranks have joined.
///
/// ```
/// use aclnn::{Device, collective::Id};
///
/// let id = Id::new(&Device::open(0)?)?;
/// let bytes: Vec<u8> = id.as_bytes().to_vec(); // … carried to another process …
/// assert_eq!(Id::from_bytes(&bytes)?, id);
/// assert_eq!(id.to_hex().parse::<Id>()?, id); // as a text
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Clone)]
#[doc(alias = "HcclRootInfo")]
pub struct Id(Box<HcclRootInfo>);

impl Id {
    /// The number of bytes.
    pub const LEN: usize = HCCL_ROOT_INFO_BYTES;

    /// Makes the root information of a new group. `device` is the one of this process that will join it.
    ///
    /// # Errors
    /// What the library returned; [`Error::MissingSymbol`] where there is no library of collectives.
    #[doc(alias = "HcclGetRootInfo")]
    #[inline]
    pub fn new(device: &Device) -> Result<Id> {
        Ok(Id(device.bind()?.root_info()?))
    }

    /// Returns the bytes that every rank needs.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0.internal)
    }

    /// Makes the root information of the bytes that [`Id::as_bytes`] returned on another rank.
    ///
    /// # Errors
    /// [`Error::Argument`] if there are not exactly [`Id::LEN`] bytes. What they say is checked when the rank joins.
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Result<Id> {
        let mut info = Box::new(HcclRootInfo { internal: [0; HCCL_ROOT_INFO_BYTES] });
        if bytes.len() != Self::LEN {
            return Err(malformed(format!("{} bytes were given, but it has {}", bytes.len(), Self::LEN)));
        }
        info.internal.copy_from_slice(bytemuck::cast_slice(bytes));
        Ok(Id(info))
    }

    /// Returns the bytes as hexadecimal digits, for variables and files of text. Zeros at the end are left out.
    #[inline]
    pub fn to_hex(&self) -> String {
        let bytes = self.as_bytes();
        let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        bytes.iter().take(len).fold(String::with_capacity(2 * len), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    #[inline]
    pub(super) fn info(&self) -> &HcclRootInfo {
        &self.0
    }
}

/// Never repeats the text, which may be a part of a secret.
#[inline]
fn malformed(reason: String) -> Error {
    Error::Argument { operator: "Id", operands: Operands::new([]), reason }
}

impl FromStr for Id {
    type Err = Error;

    /// Reads what [`Id::to_hex`] wrote; blanks around it are ignored.
    ///
    /// # Errors
    /// [`Error::Argument`] for anything else than digits of at most [`Id::LEN`] bytes.
    #[inline]
    fn from_str(text: &str) -> Result<Id> {
        let digits = text.trim().as_bytes();
        if digits.is_empty() || !digits.len().is_multiple_of(2) || digits.len() > 2 * Self::LEN {
            return Err(malformed(format!(
                "the text has {} letters; it has two for each of at most {} bytes",
                digits.len(),
                Self::LEN
            )));
        }
        let mut bytes = vec![0; Self::LEN];
        for (place, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let byte = std::str::from_utf8(pair).ok().filter(|pair| !pair.starts_with('+'));
            let byte = byte.and_then(|pair| u8::from_str_radix(pair, 16).ok());
            *place = byte
                .ok_or_else(|| malformed("the text has other letters than hexadecimal digits".to_owned()))?;
        }
        Id::from_bytes(&bytes)
    }
}

impl PartialEq for Id {
    #[inline]
    fn eq(&self, other: &Id) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for Id {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Id").finish_non_exhaustive()
    }
}

#[cfg(feature = "serde")]
mod serde {
    use std::fmt;

    use serde_core::de::{Error, Visitor};
    use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Id;

    /// Feature `serde`: writes hexadecimal digits where the format is for people, and bytes elsewhere.
    impl Serialize for Id {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if serializer.is_human_readable() {
                serializer.serialize_str(&self.to_hex())
            } else {
                serializer.serialize_bytes(self.as_bytes())
            }
        }
    }

    /// Feature `serde`: reads hexadecimal digits, or bytes.
    impl<'de> Deserialize<'de> for Id {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
            struct Information;

            impl Visitor<'_> for Information {
                type Value = Id;

                #[inline]
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "root information: {} bytes, or hexadecimal digits", Id::LEN)
                }

                fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
                    text.parse().map_err(E::custom)
                }

                fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Id, E> {
                    Id::from_bytes(bytes).map_err(E::custom)
                }
            }

            if deserializer.is_human_readable() {
                deserializer.deserialize_str(Information)
            } else {
                deserializer.deserialize_bytes(Information)
            }
        }
    }
}
