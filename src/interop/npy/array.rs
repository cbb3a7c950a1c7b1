//! The format of NumPy's files, versions 1 to 3: a header that is a dictionary of Python, and the elements.
//!
//! NumPy has no names for bf16, the floats of a byte and less, and 4-bit integers: ml_dtypes writes them as bytes without
//! a type, and elements of less than a byte as one byte each.

use aclnn_numerics::DType;
use aclnn_numerics::convert::pack::Width;

use super::header::{self, Header, MAGIC, shown};
use super::reason::{Outcome, bail, ensure};

/// The types that NumPy names.
const NAMED: [(&str, DType); 14] = [
    ("f2", DType::F16),
    ("f4", DType::F32),
    ("f8", DType::F64),
    ("i1", DType::I8),
    ("i2", DType::I16),
    ("i4", DType::I32),
    ("i8", DType::I64),
    ("u1", DType::U8),
    ("u2", DType::U16),
    ("u4", DType::U32),
    ("u8", DType::U64),
    ("b1", DType::Bool),
    ("c8", DType::C64),
    ("c16", DType::C128),
];

/// An array of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Npy {
    pub(super) dtype: DType,
    /// The sizes of the axes, outermost first.
    pub(super) shape: Vec<usize>,
    /// Whether the elements of the first axis, and not of the last, lie one after the other.
    pub(super) is_fortran: bool,
    /// The elements in little-endian order; those of less than a byte are packed.
    pub(super) bytes: Vec<u8>,
}

impl Npy {
    /// Reads a file. `told` is the type of elements for which NumPy has no name.
    #[inline]
    pub(super) fn read(file: &[u8], told: Option<DType>) -> Outcome<Npy> {
        let (Header { description, is_fortran, shape }, elements) = header::read(file)?;
        let description = description.as_str();
        ensure!(!description.is_empty(), "the header has no type");
        // Without a sign the elements lie in the order of the machine, which is little-endian.
        let name = description.strip_prefix(['<', '>', '=', '|']).unwrap_or(description);
        ensure!(name != "O", "the file holds Python objects, not numbers");
        let dtype = dtype(description, name, told)?;
        let count = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
        let size = dtype.bits().div_ceil(8);
        let needed = count.and_then(|count| count.checked_mul(size)).ok_or("the array is too large")?;
        ensure!(
            elements.len() == needed,
            "the file ends early or late: {} bytes of elements, where {dtype}{shape:?} takes {needed}",
            elements.len()
        );
        let mut bytes = elements.to_vec();
        if description.starts_with('>') {
            let part = if dtype.is_complex() { size / 2 } else { size };
            bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        Ok(Npy { dtype, shape, is_fortran, bytes: packed(dtype, bytes)? })
    }

    /// Returns the bytes of a file with an array that lies in row-major order.
    #[inline]
    pub(super) fn write(dtype: DType, shape: &[usize], bytes: &[u8]) -> Outcome<Vec<u8>> {
        let named = NAMED.iter().find(|(_, known)| *known == dtype).map(|(name, _)| *name);
        let size = dtype.bits().div_ceil(8);
        let description = match (named, size) {
            (_, 0) => bail!("{dtype} has no place in a file of NumPy"),
            (Some(name), 1) => format!("|{name}"),
            (Some(name), _) => format!("<{name}"),
            (None, size) => format!("<V{size}"),
        };
        let sizes: Vec<String> = shape.iter().map(|size| format!("{size}, ")).collect();
        let sizes = sizes.concat();
        // One axis keeps its comma: without it Python reads a number in brackets.
        let sizes = if shape.len() > 1 { sizes.trim_end_matches(", ") } else { sizes.trim_end() };
        let header = format!("{{'descr': '{description}', 'fortran_order': False, 'shape': ({sizes}), }}");
        // The elements begin at a multiple of 64.
        let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
        let mut file = [
            MAGIC,
            &[1, 0],
            &u16::try_from(length).map_err(|_| "the shape has too many axes")?.to_le_bytes(),
        ]
        .concat();
        file.extend(format!("{header:<width$}\n", width = length - 1).bytes());
        let mut unpacked = Vec::new();
        let elements = match Width::of(dtype).filter(|width| *width != Width::Bits8) {
            Some(width) => {
                unpacked.resize(shape.iter().product(), 0);
                width.unpack(bytes, &mut unpacked);
                &unpacked
            }
            None => bytes,
        };
        file.extend_from_slice(elements);
        Ok(file)
    }
}

/// The type of the elements, from its name in the header and what the caller tells.
#[inline]
fn dtype(description: &str, name: &str, told: Option<DType>) -> Outcome<DType> {
    let named = NAMED.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype);
    let bytes = match (name, name.strip_prefix('V')) {
        // NumPy's name for the type of ml_dtypes.
        ("f1", _) => Some(1),
        (_, Some(size)) => Some(size.parse().map_err(|_| "a void type without a size")?),
        _ => None,
    };
    match (named, bytes, told) {
        (Some(dtype), _, None) => Ok(dtype),
        (Some(dtype), _, Some(told)) => {
            // Bits without a type are often kept as unsigned integers.
            let holds_bits =
                matches!(dtype, DType::U8 | DType::U16 | DType::U32) && dtype.bits() == told.bits();
            ensure!(
                told == dtype || holds_bits,
                "the file says that its elements are {dtype}, not {told}; read them as {dtype}, and cast them"
            );
            Ok(told)
        }
        (None, Some(bytes), Some(told)) => {
            let takes = told.bits().div_ceil(8);
            ensure!(
                bytes == takes && takes > 0,
                "the elements take {bytes} bytes in the file, and {told} takes {takes}"
            );
            Ok(told)
        }
        (None, Some(_), None) if name == "f1" => Ok(DType::F8E5M2),
        (None, Some(bytes), None) => bail!(
            "the file does not name the type of its elements: `{}` stands for {bytes} bytes, as ml_dtypes writes {}; \
             name it, by `npy::load_as` or on the command line as in `a.npy:{}`",
            shown(description),
            if bytes == 2 { "bf16" } else { "floats of up to 8 bits and 4-bit integers" },
            if bytes == 2 { "bf16" } else { "f8e4m3fn" },
        ),
        (None, None, _) => bail!("the type `{}` of the file has no counterpart here", shown(description)),
    }
}

/// Packs elements of less than a byte.
#[inline]
fn packed(dtype: DType, bytes: Vec<u8>) -> Outcome<Vec<u8>> {
    let Some(width) = Width::of(dtype).filter(|width| *width != Width::Bits8) else { return Ok(bytes) };
    let codes: Vec<u8> = bytes.iter().map(|code| code & width.mask()).collect();
    let mut packed = vec![0; dtype.storage_bytes(codes.len()).ok_or("the array is too large")?];
    width.pack(&codes, &mut packed);
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, elements: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), elements].concat()
    }

    #[test]
    fn headers_are_read_as_python_writes_them() {
        let read = |text: &str, bytes: &[u8]| Npy::read(&file(text, bytes), None).unwrap();
        let scalar = read("{'descr': '<i2', 'fortran_order': False, 'shape': (), }   \n", &[1, 2]);
        assert_eq!((scalar.dtype, scalar.shape, scalar.bytes), (DType::I16, vec![], vec![1, 2]));
        let big = read("{'descr': '>u2', 'fortran_order': True, 'shape': (1, 2), }\n", &[1, 2, 3, 4]);
        assert_eq!((big.dtype, big.is_fortran, big.bytes), (DType::U16, true, vec![2, 1, 4, 3]));
        let native = read("{'descr': 'f4', 'fortran_order': False, 'shape': (), }", &1.0f32.to_ne_bytes());
        assert_eq!((native.dtype, native.bytes), (DType::F32, 1.0f32.to_ne_bytes().to_vec()));
        let complex = read(
            "{\"descr\": \">c8\", \"shape\": (1L,), \"fortran_order\": False}",
            &[1, 2, 3, 4, 5, 6, 7, 8],
        );
        assert_eq!((complex.dtype, complex.bytes), (DType::C64, vec![4, 3, 2, 1, 8, 7, 6, 5]));
        let long = [
            MAGIC,
            &[3, 0],
            &58_u32.to_le_bytes(),
            b"{'descr': '|b1', 'fortran_order': False, 'shape': (2, ), }",
            &[0, 1],
        ]
        .concat();
        assert_eq!(Npy::read(&long, None).unwrap().dtype, DType::Bool);
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let header = |descr: &str, shape: &str| {
            file(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"), &[0; 4])
        };
        for (bytes, told, reason) in [
            (b"nothing".to_vec(), None, "not a file of NumPy"),
            (header("'<f4'", "(2,)"), None, "4 bytes of elements, where f32[2] takes 8"),
            (header("'<V2'", "(2,)"), None, "a.npy:bf16"),
            (header("'<V2'", "(2,)"), Some(DType::F32), "2 bytes in the file, and f32 takes 4"),
            (header("'|V1'", "(4,)"), None, "a.npy:f8e4m3fn"),
            (header("'<i4'", "(1,)"), Some(DType::F32), "the file says that its elements are i32, not f32"),
            (header("'|O'", "(1,)"), None, "Python objects"),
            (header("'O'", "(1,)"), None, "Python objects"),
            (header("'zf4'", "(1,)"), None, "no counterpart"),
            (header("'\u{e9}f4'", "(1,)"), None, "no counterpart"),
            (header("'<M8'", "(1,)"), None, "no counterpart"),
            (header("[('a', '<f4')]", "(1,)"), None, "records"),
            (
                header(&format!("'<{}'", "z".repeat(5000)), "(1,)"),
                None,
                "zzz …` of the file has no counterpart",
            ),
            (header("'<f8'", "(99999999999, 99999999999)"), None, "too large"),
        ] {
            let error = Npy::read(&bytes, told).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn every_type_is_written_and_read_again() {
        for &dtype in DType::ALL {
            if dtype == DType::String {
                assert!(Npy::write(dtype, &[2], &[]).is_err());
                continue;
            }
            let bytes: Vec<u8> = (0..dtype.storage_bytes(24).unwrap()).map(|byte| byte as u8).collect();
            let file = Npy::write(dtype, &[2, 12], &bytes).unwrap();
            let named = NAMED.iter().any(|(_, named)| *named == dtype);
            let again = Npy::read(&file, (!named).then_some(dtype)).unwrap();
            assert_eq!(again, Npy { dtype, shape: vec![2, 12], is_fortran: false, bytes });
        }
    }
}
