//! Element types and shapes through JSON.

use std::collections::HashMap;

use aclnn::{DType, Shape};
use serde_json::{Value, from_str, from_value, json, to_string, to_value};

type Outcome = Result<(), serde_json::Error>;

#[test]
fn types_are_their_short_names() -> Outcome {
    assert_eq!(to_value([DType::F32, DType::I8, DType::F8E4M3FN])?, json!(["f32", "i8", "f8e4m3fn"]));
    for &dtype in DType::ALL {
        assert_eq!(from_str::<DType>(&to_string(&dtype)?)?, dtype);
        assert_eq!(from_value::<DType>(Value::from(dtype.rust_name()))?, dtype);
    }
    let by_type: HashMap<DType, usize> = from_value(json!({"bf16": 2, "ACL_FLOAT": 4, "s8": 1}))?;
    assert_eq!(by_type, HashMap::from([(DType::BF16, 2), (DType::F32, 4), (DType::I8, 1)]));
    Ok(())
}

#[test]
fn shapes_are_lists() -> Outcome {
    for sizes in [vec![], vec![0], vec![2, 3], vec![usize::MAX, 1, 2, 3, 4, 5, 6, 7, 8]] {
        let shape = Shape::from(sizes.clone());
        assert_eq!(to_value(&shape)?, json!(sizes));
        assert_eq!(from_value::<Shape>(json!(sizes))?, shape);
    }
    Ok(())
}

#[test]
fn what_is_neither_is_told_what_would_be() {
    let error = from_str::<DType>("\"f31\"").unwrap_err().to_string();
    assert!(error.contains("\"f31\"") && error.contains("f32, f16, f64"), "{error}");
    let error = from_str::<DType>("7").unwrap_err().to_string();
    assert!(error.contains("one of f32 f16 f64 bf16 i8"), "{error}");
    let error = from_str::<Shape>("3").unwrap_err().to_string();
    assert!(error.contains("a list of the sizes of its axes, such as [2, 3]"), "{error}");
    for list in ["[-1]", "[2.5]", "[\"3\"]"] {
        let error = from_str::<Shape>(list).unwrap_err().to_string();
        assert!(error.contains("usize"), "{error}");
    }
}

/// Digits where a format is for people. Bytes elsewhere have no format among the dependencies.
#[test]
#[cfg(feature = "collectives")]
fn root_information_is_its_digits() -> Result<(), Box<dyn std::error::Error>> {
    use aclnn::collective::Id;
    let mut bytes = vec![0; Id::LEN];
    bytes[..4].copy_from_slice(&[0x00, 0x1f, 0xa0, 0xff]);
    let id = Id::from_bytes(&bytes)?;
    assert_eq!(to_value(&id)?, json!("001fa0ff"));
    assert_eq!(from_value::<Id>(json!("001FA0ff"))?, id);
    assert_eq!(from_str::<HashMap<String, Id>>(r#"{"root": "001fa0ff"}"#)?.get("root"), Some(&id));
    let full = Id::from_bytes(&[0xff; Id::LEN])?;
    assert_eq!(from_str::<Id>(&to_string(&full)?)?, full);
    for wrong in [json!("001"), json!("xy"), json!(7), json!("00".repeat(Id::LEN + 1))] {
        assert!(from_value::<Id>(wrong).is_err());
    }
    Ok(())
}
