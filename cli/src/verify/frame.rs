//! Messages from a child to its parent: one line of JSON for each case, and one at the start.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::environment::Environment;

/// The first line of a child.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) environment: Environment,
    /// The SoC of the device under test.
    pub(super) soc: String,
    /// The cases that the child would run, as a number that differs when they do.
    pub(super) cases: u64,
}

/// What a case did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Frame {
    /// The number of the case.
    pub(super) number: usize,
    /// The reason why the operator is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<String>,
    /// The codes of phase one, of phase two and of the synchronisation; 0 for what was not reached.
    pub(super) codes: [i32; 3],
    /// What the library said about a code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) message: String,
    /// The outputs, in the order of the parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) outputs: Vec<Output>,
    /// The parameter whose memory changed beside the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<String>,
}

/// A tensor that a case wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Output {
    pub(super) dims: Vec<i64>,
    /// The elements in row-major order.
    #[serde(with = "hexadecimal")]
    pub(super) elements: Vec<u8>,
}

impl Frame {
    /// Returns whether every call succeeded.
    pub(super) fn succeeded(&self) -> bool {
        self.codes == [0; 3] && self.missing.is_none()
    }

    /// Returns whether the stream failed, and its context with it: nothing else can be done in the process.
    pub(super) fn ends_the_process(&self) -> bool {
        self.codes[2] != 0
    }
}

/// Writes one line.
pub(super) fn send<T: Serialize>(to: &mut impl Write, message: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads one line; `None` at the end.
pub(super) fn receive<T: for<'a> Deserialize<'a>>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    // A line that does not end is what a child wrote when it died.
    if line.last() != Some(&b'\n') {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}

mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digit = |number: u8| char::from(DIGITS[usize::from(number & 15)]);
        let text: String = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
        serializer.serialize_str(&text)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        text.as_bytes()
            .chunks(2)
            .map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?))
            .collect::<Option<_>>()
            .ok_or_else(|| D::Error::custom("bytes are pairs of hexadecimal digits"))
    }
}
