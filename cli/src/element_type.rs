//! Element types by every name that people type.

use aclnn::DType;

use crate::suggest;

/// Before the name of a type, in programs.
const PREFIXES: [&str; 9] =
    ["torch.", "numpy.", "np.", "jnp.", "tf.", "ml_dtypes.", "tensorproto.", "acl_", "dt_"];

/// Names beside those that a type has by itself, without underscores.
const NAMES: &[(&str, DType)] = &[
    ("fp16", DType::F16),
    ("half", DType::F16),
    ("float32", DType::F32),
    ("fp32", DType::F32),
    ("single", DType::F32),
    ("float64", DType::F64),
    ("fp64", DType::F64),
    ("short", DType::I16),
    ("long", DType::I64),
    ("boolean", DType::Bool),
    ("complex32", DType::C32),
    ("chalf", DType::C32),
    ("cfloat", DType::C64),
    ("cdouble", DType::C128),
    ("hifp8", DType::HiF8),
    ("e5m2", DType::F8E5M2),
    ("e4m3", DType::F8E4M3FN),
    ("e4m3fn", DType::F8E4M3FN),
    ("f8e4m3", DType::F8E4M3FN),
    ("e8m0", DType::F8E8M0),
    ("float8e8m0fnu", DType::F8E8M0),
    ("float6e3m2fn", DType::F6E3M2),
    ("float6e2m3fn", DType::F6E2M3),
    ("float4e2m1fn", DType::F4E2M1),
    ("float4e2m1fnx2", DType::F4E2M1),
];

/// Reads the name of an element type, as this project, Rust, CANN, ONNX, C, NumPy, PyTorch or safetensors write it.
///
/// # Errors
/// A sentence with the names that may have been meant.
pub(crate) fn parse(text: &str) -> Result<DType, String> {
    if let Ok(dtype) = text.parse() {
        return Ok(dtype);
    }
    let lower = text.trim().to_lowercase();
    let mut name = lower.as_str();
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)) {
        name = rest;
    }
    if let Ok(dtype) = format!("acl_{name}").parse() {
        return Ok(dtype);
    }
    let name = name.strip_suffix("_t").unwrap_or(name).replace('_', "");
    let known = || NAMES.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype);
    name.parse().ok().or_else(known).ok_or_else(|| {
        let short = DType::ALL.iter().map(|dtype| dtype.short_name());
        let all = short.clone().chain(NAMES.iter().map(|(known, _)| *known));
        let all = all.chain(DType::ALL.iter().filter_map(|dtype| dtype.onnx_name()));
        match suggest::hint(&name, all) {
            hint if hint.is_empty() => {
                format!(
                    "no element type is called {text:?}; there are {}",
                    short.collect::<Vec<_>>().join(", ")
                )
            }
            hint => format!("no element type is called {text:?}{hint}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names are those of the C headers, of `torch`, `numpy` and `ml_dtypes`, of ONNX and of safetensors.
    #[test]
    fn every_spelling_of_a_type_is_read() {
        for (dtype, names) in [
            (
                DType::F16,
                "f16 float16 half FLOAT16 ACL_FLOAT16 DT_FLOAT16 torch.half torch.float16 np.float16 fp16 F16",
            ),
            (DType::F32, "f32 float Float32 ACL_FLOAT DT_FLOAT torch.float32 fp32 single TensorProto.FLOAT"),
            (DType::F64, "f64 double float64 ACL_DOUBLE torch.double F64"),
            (DType::BF16, "bf16 bfloat16 BF16 ACL_BF16 DT_BF16 torch.bfloat16 ml_dtypes.bfloat16"),
            (DType::I8, "i8 s8 int8 int8_t ACL_INT8 I8"),
            (DType::U16, "u16 uint16 uint16_t ACL_UINT16 U16"),
            (DType::I64, "i64 s64 int64 int64_t long torch.long I64"),
            (DType::Bool, "bool boolean ACL_BOOL torch.bool BOOL"),
            (DType::C32, "c32 complex32 ACL_COMPLEX32 torch.complex32 torch.chalf Complex<f16>"),
            (DType::C64, "c64 complex64 ACL_COMPLEX64 np.complex64 cfloat"),
            (DType::C128, "c128 complex128 torch.cdouble"),
            (DType::HiF8, "hif8 ACL_HIFLOAT8 hifloat8 HiF8"),
            (
                DType::F8E4M3FN,
                "f8e4m3fn float8e4m3fn torch.float8_e4m3fn ACL_FLOAT8_E4M3FN F8_E4M3 ml_dtypes.float8_e4m3fn",
            ),
            (DType::F8E5M2, "f8e5m2 float8_e5m2 F8_E5M2 e5m2"),
            (DType::F8E8M0, "ml_dtypes.float8_e8m0fnu ACL_FLOAT8_E8M0"),
            (DType::F4E2M1, "ml_dtypes.float4_e2m1fn ACL_FLOAT4_E2M1"),
        ] {
            for name in names.split(' ') {
                assert_eq!(parse(name), Ok(dtype), "{name}");
            }
        }
        for &dtype in DType::ALL {
            for name in [Some(dtype.short_name()), dtype.acl_name(), dtype.onnx_name()].into_iter().flatten()
            {
                assert_eq!(parse(name), Ok(dtype), "{name}");
            }
        }
    }

    #[test]
    fn a_name_that_is_not_known_is_told_with_those_that_are_like_it() {
        let error = parse("folat16").unwrap_err();
        assert!(error.starts_with("no element type is called \"folat16\"; did you mean float16"), "{error}");
        let error = parse("?").unwrap_err();
        assert!(error.contains("there are f32, f16, f64"), "{error}");
    }
}
