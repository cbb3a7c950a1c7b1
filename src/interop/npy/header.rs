//! The header of NumPy's files: a dictionary of Python with three keys, of which everything else is refused, as NumPy does.
//!
//! The crate `npyz` reads such files as well, but takes headers that NumPy refuses, with other keys or of any length, and
//! elements by Rust types that have no bf16, float of a byte or 4-bit integer; its parser of Python brings 27 packages.

use std::borrow::Cow;

use super::reason::{Outcome, bail, ensure};

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that NumPy reads, in bytes.
const LONGEST: usize = 10_000;

/// The most axes that NumPy has.
const MOST_AXES: usize = 64;

/// The contents of a header.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// The type, as `<f4`.
    pub(super) description: String,
    pub(super) is_fortran: bool,
    pub(super) shape: Vec<usize>,
}

/// Reads the start of a file; the elements are what is left.
#[inline]
pub(super) fn read(file: &[u8]) -> Outcome<(Header, &[u8])> {
    let start = file.strip_prefix(MAGIC).and_then(|rest| rest.split_at_checked(2));
    let (version, rest) = start.ok_or("this is not a file of NumPy: it has no header")?;
    let (length, rest) = match version {
        [1, 0] => {
            rest.split_first_chunk().map(|(length, rest)| (usize::from(u16::from_le_bytes(*length)), rest))
        }
        [2 | 3, 0] => {
            rest.split_first_chunk().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest))
        }
        _ => bail!("the format has the versions 1.0, 2.0 and 3.0, and the file version {}", dotted(version)),
    }
    .ok_or("the file ends in its header")?;
    ensure!(length <= LONGEST, "the header has {length} bytes, and NumPy reads {LONGEST} at most");
    let (header, elements) = rest.split_at_checked(length).ok_or("the file ends in its header")?;
    let text: Cow<'_, str> = match version {
        [3, _] => std::str::from_utf8(header).map_err(|_| "the header is not UTF-8")?.into(),
        // Latin-1.
        _ => header.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    };
    Ok((dictionary(&text)?, elements))
}

#[inline]
fn dotted(version: &[u8]) -> String {
    version.iter().map(u8::to_string).collect::<Vec<_>>().join(".")
}

/// A text for a message, of which a long one is cut.
#[inline]
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Reads a dictionary with the three keys.
#[inline]
fn dictionary(text: &str) -> Outcome<Header> {
    let mut rest = Rest(text);
    let (mut description, mut is_fortran, mut shape) = (None, None, None);
    rest.expect('{')?;
    while !rest.has('}') {
        let key = rest.text()?;
        rest.expect(':')?;
        let is_new = match key.as_str() {
            "descr" if rest.0.trim_start().starts_with('[') => bail!("the file holds records, not numbers"),
            "descr" => description.replace(rest.text()?).is_none(),
            "fortran_order" => is_fortran.replace(rest.truth()?).is_none(),
            "shape" => shape.replace(rest.tuple()?).is_none(),
            _ => bail!("the header has a key {:?}, which NumPy refuses", shown(&key)),
        };
        ensure!(is_new, "the header has {key} twice");
        if !rest.has(',') {
            rest.expect('}')?;
            break;
        }
    }
    ensure!(rest.0.trim().is_empty(), "the header goes on behind its dictionary: {:?}", shown(rest.0.trim()));
    let shape = shape.ok_or("the header has no shape")?;
    ensure!(
        shape.len() <= MOST_AXES,
        "the shape has {} axes, and NumPy has {MOST_AXES} at most",
        shape.len()
    );
    Ok(Header {
        description: description.ok_or("the header has no descr")?,
        is_fortran: is_fortran.ok_or("the header has no fortran_order")?,
        shape,
    })
}

/// The part of a header that is not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// Returns whether a sign comes next, which is then taken.
    #[inline]
    fn has(&mut self, sign: char) -> bool {
        let rest = self.0.trim_start().strip_prefix(sign);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    #[inline]
    fn expect(&mut self, sign: char) -> Outcome<()> {
        let is_there = self.has(sign);
        ensure!(is_there, "the header lacks `{sign}` before {:?}", shown(self.0.trim_start()));
        Ok(())
    }

    /// Takes a text in quotation marks.
    #[inline]
    fn text(&mut self) -> Outcome<String> {
        let start = self.0.trim_start();
        let (mark, rest) = start.split_at_checked(1).ok_or("the header ends too early")?;
        ensure!(matches!(mark, "'" | "\""), "the header lacks a text before {:?}", shown(start));
        let (text, rest) = rest.split_once(mark).ok_or("a text in the header does not end")?;
        ensure!(!text.contains('\\'), "a text in the header has a backslash: {:?}", shown(text));
        self.0 = rest;
        Ok(text.to_owned())
    }

    /// Takes the letters and digits that come next.
    #[inline]
    fn word(&mut self) -> &'a str {
        let start = self.0.trim_start();
        let end = start.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(start.len());
        let (word, rest) = start.split_at(end);
        self.0 = rest;
        word
    }

    #[inline]
    fn truth(&mut self) -> Outcome<bool> {
        match self.word() {
            "True" => Ok(true),
            "False" => Ok(false),
            other => bail!("fortran_order is {:?} in the header, and not True or False", shown(other)),
        }
    }

    /// Takes sizes in brackets. One of them has a comma behind it: without it Python reads a number.
    #[inline]
    fn tuple(&mut self) -> Outcome<Vec<usize>> {
        self.expect('(').map_err(|reason| format!("the shape is no tuple: {reason}"))?;
        let (mut sizes, mut has_comma) = (Vec::new(), true);
        while !self.has(')') {
            ensure!(has_comma, "the header lacks `,` before {:?}", shown(self.0));
            let word = self.word();
            // Python 2 wrote long numbers so.
            let size = word.trim_end_matches('L').parse();
            sizes.push(size.map_err(|_| format!("the shape has a size {:?}", shown(word)))?);
            has_comma = self.has(',');
        }
        ensure!(sizes.len() != 1 || has_comma, "the shape is a number, not a tuple");
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: [u8; 2], header: &str) -> Vec<u8> {
        let length = header.len() as u32;
        let length =
            if version[0] == 1 { length.to_le_bytes()[..2].to_vec() } else { length.to_le_bytes().to_vec() };
        [MAGIC, &version, &length, header.as_bytes()].concat()
    }

    fn of(header: &str) -> Outcome<Header> {
        Ok(read(&file([1, 0], header))?.0)
    }

    /// What NumPy 2 reads.
    #[test]
    fn headers_are_read_in_every_version_and_order_of_keys() {
        let expected = Header { description: "<f4".to_owned(), is_fortran: true, shape: vec![2, 3] };
        for version in [[1, 0], [2, 0], [3, 0]] {
            let header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }   \n";
            assert_eq!(read(&file(version, header)).unwrap().0, expected);
        }
        assert_eq!(of("{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"<f4\"}").unwrap(), expected);
        let one = of("{'descr': '|b1', 'fortran_order': False, 'shape': (7,)}").unwrap();
        assert_eq!((one.shape, one.is_fortran), (vec![7], false));
        assert_eq!(of("{'descr': '|b1', 'fortran_order': False, 'shape': ()}").unwrap().shape, [0; 0]);
    }

    /// What NumPy 2 refuses, by its function `numpy.lib.format._read_array_header`: other versions, keys that are missing or not
    /// its own, an order that is no bool, a shape that is no tuple of integers, and headers of more than 10 000 bytes. A key
    /// that is there twice it takes by its last value; which one was meant nobody knows.
    #[test]
    fn headers_that_numpy_refuses_are_refused() {
        for (header, reason) in [
            ("{'descr': '<f4', 'fortran_order': 7, 'shape': (1,), }", "fortran_order is \"7\""),
            ("{'descr': '<f4', 'fortran_order': 'True', 'shape': (1,), }", "not True or False"),
            ("{'descr': '<f4', 'fortran_order': Truely, 'shape': (1,), }", "not True or False"),
            ("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "descr twice"),
            ("{'shape': (1,), 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "shape twice"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "a key \"more\""),
            ("{'descr': '<f4', 'shape': (1,), }", "no fortran_order"),
            ("{'fortran_order': False, 'shape': (1,), }", "no descr"),
            ("{'descr': '<f4', 'fortran_order': False}", "no shape"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1), }", "a number, not a tuple"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': 1, }", "no tuple"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "a size"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2), }", "lacks `,`"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } and more", "goes on"),
            ("{'descr': '<f4' 'fortran_order': False, 'shape': (1,), }", "lacks `}`"),
            ("'descr': '<f4'", "lacks `{`"),
            ("{'descr': '<f4", "does not end"),
            ("{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (1,), }", "backslash"),
            ("{", "too early"),
        ] {
            let error = of(header).unwrap_err();
            assert!(error.contains(reason), "{header}: {error}");
        }
        for version in [[0, 0], [1, 1], [2, 7], [4, 0], [255, 255]] {
            let file = file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }");
            let error = read(&file);
            assert!(error.unwrap_err().contains("the versions 1.0, 2.0 and 3.0"));
        }
        let long =
            format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }}{}", " ".repeat(10_000));
        assert!(of(&long).unwrap_err().contains("10000 at most"));
    }

    #[test]
    fn messages_stay_short_whatever_is_in_the_header() {
        let long = "x".repeat(9_000);
        for header in [
            format!("{{'{long}': 1}}"),
            format!("{{'descr': '<f4', 'fortran_order': {long}, 'shape': (1,)}}"),
            format!("{{'descr': '<f4', 'fortran_order': True, 'shape': ({long},)}}"),
            format!("{{'descr': '<f4', 'fortran_order': True, 'shape': ({})}}", "1,".repeat(4_000)),
            format!("{{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}} {long}"),
            format!("{long}{{"),
        ] {
            let error = of(&header).unwrap_err();
            assert!(error.len() < 300, "{} bytes: {error}", error.len());
        }
    }
}
