//! The releases of CANN that the emulator can stand for.

use std::fmt;

/// A CANN release: major and minor number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Release {
    major: u8,
    minor: u8,
}

impl Release {
    /// The releases that can be emulated, the oldest first.
    pub(crate) const KNOWN: [Release; 3] = [Self::OLDEST, Self::new(9, 0), Self::LATEST];

    pub(crate) const OLDEST: Release = Self::new(8, 5);
    pub(crate) const LATEST: Release = Self::new(9, 1);

    /// Copying and setting zero bytes succeeds from this one on.
    pub(crate) const ZERO_LENGTHS: Release = Self::new(9, 1);

    const fn new(major: u8, minor: u8) -> Self {
        Release { major, minor }
    }

    /// Reads `9.0` and `9.0.0`; `None` for a release that is not emulated.
    pub(crate) fn parse(text: &str) -> Option<Release> {
        let text = text.strip_suffix(".0").filter(|rest| rest.contains('.')).unwrap_or(text);
        Self::KNOWN.into_iter().find(|release| release.to_string() == text)
    }

    /// The first release known to have the function called `name`; the oldest one for all that older ones have.
    #[inline(never)]
    pub(crate) fn first_with(name: &str) -> Release {
        match aclnn_sys::since_of_function(name) {
            Some(since) => Self::of_text(since),
            None => Self::OLDEST,
        }
    }

    /// Reads the release from a text such as `9.1.0`.
    fn of_text(text: &str) -> Release {
        match text.as_bytes() {
            [major, b'.', minor, ..] if *major >= b'9' && minor.is_ascii_digit() => {
                Self::new(*major - b'0', *minor - b'0')
            }
            _ => Self::OLDEST,
        }
    }

    /// Major, minor and patch number.
    pub(crate) fn numbers(self) -> (i32, i32, i32) {
        (self.major.into(), self.minor.into(), 0)
    }

    /// Version of the runtime's interface.
    pub(crate) fn interface(self) -> (i32, i32, i32) {
        (1, if self == Self::OLDEST { 16 } else { 17 }, 0)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_and_ordered() {
        assert_eq!(Release::parse("8.5"), Some(Release::OLDEST));
        assert_eq!(Release::parse("9.1.0"), Some(Release::new(9, 1)));
        for unknown in ["", "9", "9.10", "8.0", "9.1.1", "9.0.0.0"] {
            assert_eq!(Release::parse(unknown), None, "{unknown}");
        }
        assert!(Release::KNOWN.is_sorted());
    }

    #[test]
    fn functions_belong_to_their_first_release() {
        assert_eq!(Release::first_with("aclInit"), Release::OLDEST);
        assert_eq!(Release::first_with("aclFinalizeReference"), Release::OLDEST);
        assert_eq!(Release::first_with("aclDumpOpTensors"), Release::new(9, 0));
        assert_eq!(Release::first_with("aclrtMemsetD32"), Release::new(9, 1));
    }
}
