//! Files of safetensors, made by hand as the format is published, and through its own crate.

use aclnn::interop::safetensors::{HostTensor, load, save};
use aclnn::{DType, Device, Error, Tensor, bf16};
use safetensors::{Dtype, SafeTensors, View, tensor::TensorView};

type Outcome = Result<(), Error>;

/// The length of the header, the header, the data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// Names of the format, ours, and bits.
const TYPES: [(&str, DType, usize); 22] = [
    ("BOOL", DType::Bool, 8),
    ("F4", DType::F4E2M1, 4),
    ("F6_E2M3", DType::F6E2M3, 6),
    ("F6_E3M2", DType::F6E3M2, 6),
    ("U8", DType::U8, 8),
    ("I8", DType::I8, 8),
    ("F8_E5M2", DType::F8E5M2, 8),
    ("F8_E4M3", DType::F8E4M3FN, 8),
    ("F8_E8M0", DType::F8E8M0, 8),
    ("F8_E4M3FNUZ", DType::F8E4M3FNUZ, 8),
    ("F8_E5M2FNUZ", DType::F8E5M2FNUZ, 8),
    ("I16", DType::I16, 16),
    ("U16", DType::U16, 16),
    ("F16", DType::F16, 16),
    ("BF16", DType::BF16, 16),
    ("I32", DType::I32, 32),
    ("U32", DType::U32, 32),
    ("F32", DType::F32, 32),
    ("C64", DType::C64, 64),
    ("F64", DType::F64, 64),
    ("I64", DType::I64, 64),
    ("U64", DType::U64, 64),
];

#[test]
fn every_type_of_the_format() -> Outcome {
    let device = Device::open(0)?;
    for (name, dtype, bits) in TYPES {
        let data: Vec<u8> = (0..bits).map(|i| (i % 2) as u8).collect();
        let header = format!(r#"{{"a":{{"dtype":"{name}","shape":[2,4],"data_offsets":[0,{bits}]}}}}"#);
        let given = file(&header, &data);
        let tensors = load(&device, &given)?;
        assert_eq!(tensors["a"].dtype(), dtype);
        assert_eq!(tensors["a"].shape()[..], [2, 4]);
        assert_eq!(tensors["a"].to_bytes()?, data);
        // The header is filled up to a multiple of eight with spaces.
        let padded = format!("{header:width$}", width = header.len().next_multiple_of(8));
        assert_eq!(save(&tensors)?, file(&padded, &data));
    }
    Ok(())
}

#[test]
fn several_tensors_and_views() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[1i32, 2, 3, 4, 5, 6], [2, 3])?;
    let one = Tensor::from_slice(&device, &[bf16::from_f32(1.5)], [])?;
    let empty = Tensor::zeros(&device, [3, 0], DType::F64)?;
    let bytes = save([("turned", &grid.transpose(0, 1)?), ("one", &one), ("empty", &empty)])?;
    // Read by the crate of the format.
    let read = SafeTensors::deserialize(&bytes).map_err(|error| error.to_string())?;
    let turned = read.tensor("turned").map_err(|error| error.to_string())?;
    assert_eq!((turned.dtype(), turned.shape()), (Dtype::I32, &[3, 2][..]));
    let expected: Vec<u8> = [1i32, 4, 2, 5, 3, 6].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(turned.data(), expected);
    let tensors = load(&device, &bytes)?;
    assert_eq!(tensors.keys().collect::<Vec<_>>(), ["empty", "one", "turned"]);
    assert_eq!(tensors["one"].to_vec::<bf16>()?, [bf16::from_f32(1.5)]);
    assert_eq!(tensors["empty"].shape()[..], [3, 0]);
    let view = TensorView::new(Dtype::U16, vec![2], &[1, 0, 2, 1]).map_err(|error| error.to_string())?;
    assert_eq!(Tensor::from_safetensors(&device, &view)?.to_vec::<u16>()?, [1, 258]);
    Ok(())
}

#[test]
fn the_first_element_of_a_byte_lies_low() -> Outcome {
    let device = Device::open(0)?;
    let header = r#"{"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}}"#;
    let tensors = load(&device, &file(header, &[0x21, 0x43]))?;
    // f4e2m1 codes 3 and 4.
    assert_eq!(tensors["a"].slice(0, 2..4)?.to_bytes()?, [0x43]);
    assert_eq!(tensors["a"].slice(0, 0..1)?.to_bytes()?, [0x01]);
    Ok(())
}

#[test]
fn what_the_format_does_not_have_is_refused() -> Outcome {
    let device = Device::open(0)?;
    let tensor = Tensor::zeros(&device, [2], DType::C128)?;
    let error = save([("a", &tensor)]).unwrap_err().to_string();
    assert!(error.contains("safetensors: the format has no type for c128[2]; cast it first"), "{error}");
    let nibbles = Tensor::from_bytes(&device, DType::F4E2M1, &[0x21, 0x03], [3])?;
    let error = HostTensor::new(&nibbles).unwrap_err().to_string();
    assert!(error.contains("f4e2m1[3] does not fill its last byte"), "{error}");
    let one = Tensor::ones(&device, [1], DType::F32)?;
    let error = save([("a", &one), ("a", &one)]).unwrap_err().to_string();
    assert!(error.contains("two tensors are named \"a\""), "{error}");
    for bad in [&b"short"[..], &file(r#"{"a":{"dtype":"F31","shape":[],"data_offsets":[0,4]}}"#, &[0; 4])] {
        let error = load(&device, bad).unwrap_err();
        assert!(matches!(error, Error::Interop { with: "safetensors", .. }), "{error}");
    }
    Ok(())
}

#[test]
fn host_copies_go_to_the_functions_of_the_format() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open(0)?;
    let copy = HostTensor::new(&Tensor::from_slice(&device, &[1u8, 2, 3], [3])?)?;
    assert_eq!(
        (copy.dtype(), copy.shape(), &copy.data()[..], copy.data_len()),
        (Dtype::U8, &[3][..], &[1, 2, 3][..], 3)
    );
    let metadata = [("format".to_owned(), "pt".to_owned())].into_iter().collect();
    let bytes = safetensors::serialize([("a", copy)], Some(metadata)).map_err(|error| error.to_string())?;
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|error| error.to_string())?;
    assert_eq!(header.metadata().as_ref().and_then(|all| all.get("format")).map(String::as_str), Some("pt"));
    assert_eq!(load(&device, &bytes)?["a"].to_vec::<u8>()?, [1, 2, 3]);
    Ok(())
}
