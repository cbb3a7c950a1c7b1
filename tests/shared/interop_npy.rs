//! Files of NumPy, which NumPy and ml_dtypes wrote (`cli/tests/data/make.py`), and what is wrong with files that are not.

use std::path::{Path, PathBuf};

use aclnn::interop::npy;
use aclnn::{DType, Device, Error, Tensor, bf16};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data").join(name)
}

/// The arrays are those of `make.py`.
#[test]
fn files_that_numpy_wrote_are_read() -> Outcome {
    let device = Device::open(0)?;
    let fortran = Tensor::read_npy(&device, file("fortran.npy"))?;
    assert_eq!(fortran.to_vec2::<f64>()?, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    let big_endian = Tensor::read_npy(&device, file("big_endian.npy"))?;
    assert_eq!(big_endian.to_vec2::<i16>()?, [[-2, -1, 0], [1, 2, 3]]);
    assert_eq!(Tensor::read_npy(&device, file("ramp.npy"))?.to_vec::<i32>()?, [10, 7, 4, 1]);
    Ok(())
}

/// Bytes that NumPy wrote and that this library writes are the same, header and all.
#[test]
fn files_are_written_as_numpy_writes_them() -> Outcome {
    let device = Device::open(0)?;
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("ramp.npy");
    Tensor::arange(&device, 10, 0, -3, DType::I32)?.write_npy(&path)?;
    assert_eq!(std::fs::read(&path)?, std::fs::read(file("ramp.npy"))?);
    Ok(())
}

#[test]
fn elements_without_a_name_need_their_type() -> Outcome {
    let device = Device::open(0)?;
    let halves = Tensor::from_slice(&device, &[1.0, -2.5].map(bf16::from_f32), 2)?;
    let bytes = npy::save(&halves)?;
    let reason = npy::load(&device, &bytes).unwrap_err().to_string();
    assert!(reason.contains("does not name the type of its elements") && reason.contains("bf16"), "{reason}");
    let again = npy::load_as(&device, &bytes, DType::BF16)?;
    assert_eq!(again.to_vec::<bf16>()?, [bf16::from_f32(1.0), bf16::from_f32(-2.5)]);
    assert!(npy::load_as(&device, &bytes, DType::F32).is_err());
    Ok(())
}

#[test]
fn a_file_that_is_missing_or_damaged_is_named() -> Outcome {
    let device = Device::open(0)?;
    for (name, reason) in [("nothing.npy", "No such file"), ("make.py", "not a file of NumPy")] {
        let error = Tensor::read_npy(&device, file(name)).unwrap_err();
        assert!(matches!(error, Error::Interop { with: "npy", .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(name) && text.contains(reason), "{text}");
    }
    let unwritable = Path::new("/nowhere/x.npy");
    let error = Tensor::ones(&device, 2, DType::F32)?.write_npy(unwritable).unwrap_err().to_string();
    assert!(error.contains("/nowhere/x.npy"), "{error}");
    Ok(())
}
