//! Indices that do not exist, which only the work finds out: it fails, names index and limit, and writes nothing there.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Stream, Tensor};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// An operation that writes to the first tensor, or reads from it.
type Operation = fn(&mut Tensor, &Tensor) -> Result<Tensor, Error>;

#[test]
#[serial]
fn an_index_that_does_not_exist_fails_the_work() -> Outcome {
    if !support::is_embedded()? {
        return Ok(());
    }
    let device = Device::open(0)?;
    // Operators with an index for each element count from the front alone on an Ascend950.
    let counts_backwards = device.product() != Some(Product::Ascend950);
    let of_lanes = if counts_backwards { "indices from -3 to 2" } else { "indices from 0 to 2" };
    let cases: &[(i64, &str, Operation)] = &[
        (3, "indices from 0 to 2", |line, at| line.index_select(0, at)),
        (-1, "indices from 0 to 2", |line, at| line.index_select(0, at)),
        (-4, "indices from -3 to 2", |line, at| line.take_axis(0, at)),
        (3, "indices from -3 to 2", |line, at| line.take(at)),
        (3, of_lanes, |line, at| line.gather(0, at)),
        (3, "indices from -3 to 2", |line, at| line.index(&[Some(at)])),
        (-1, "indices from 0 to 2", |line, at| line.reshape([3, 1])?.embedding(at)),
        (3, "indices from 0 to 2", |line, at| line.index_add(0, at, &at.cast(DType::F32)?)),
        (-1, "indices from 0 to 2", |line, at| line.index_copy(0, at, &at.cast(DType::F32)?)),
        (-4, of_lanes, |line, at| line.scatter(0, at, &at.cast(DType::F32)?)),
        (3, of_lanes, |line, at| line.scatter_add(0, at, &at.cast(DType::F32)?)),
        (-1, "indices from 0 to 2", |line, at| line.put(at, &at.cast(DType::F32)?)),
        (3, "indices from -3 to 2", |line, at| line.index_put_add(&[Some(at)], &at.cast(DType::F32)?)),
        (i64::MIN, "indices from -3 to 2", |line, at| line.take(at)),
    ];
    for (number, limits, operation) in cases {
        let stream = Stream::new(&device)?;
        let whole = Tensor::from_slice(&stream, &[9.0f32, 1.0, 2.0, 3.0, 9.0], 5)?;
        let mut line = whole.slice(0, 1..4)?;
        let at = Tensor::from_slice(&stream, &[*number], 1)?;
        let error = operation(&mut line, &at)?.to_vec::<f32>().unwrap_err();
        assert!(matches!(error, Error::StreamFailed(_)), "{error}");
        let text = error.to_string();
        for part in [&number.to_string(), *limits] {
            assert!(text.contains(part), "{part:?} is missing in: {text}");
        }
        drop((whole, line, at, stream));
        while device.synchronize().is_err() {}
    }
    Ok(())
}

/// An operation that waits, as its results decide their sizes, is not blamed for the work before it.
#[test]
#[serial]
fn work_that_failed_is_not_that_of_the_operation_that_waits() -> Outcome {
    if !support::is_embedded()? {
        return Ok(());
    }
    let device = Device::open(0)?;
    type Waiting = fn(&Tensor) -> Result<Tensor, Error>;
    let waiting: [Waiting; 3] = [Tensor::nonzero, Tensor::unique, |x| x.masked_select(&x.gt(0)?)];
    for operation in waiting {
        let stream = Stream::new(&device)?;
        let line = Tensor::from_slice(&stream, &[1.0f32, 2.0], 2)?;
        let found = line.index_select(0, &Tensor::from_slice(&stream, &[7i64], 1)?)?;
        let error = operation(&found).unwrap_err();
        assert!(matches!(error, Error::StreamFailed(_)), "{error}");
        assert!(error.to_string().contains("aclnnIndexSelect: index has the index 7"), "{error}");
        drop((line, found, stream));
        while device.synchronize().is_err() {}
    }
    Ok(())
}
