//! The throughput of copies, from and to pinned memory of the host and other.

use aclnn::{DType, Device, HostBuffer, Tensor};
use anyhow::Result;

use super::measure::{Budget, Measured, timed};

pub(super) fn series(device: &Device, is_quick: bool) -> Vec<Measured<'_>> {
    let sizes: &[usize] =
        if is_quick { &[1 << 16, 1 << 22] } else { &[1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22, 1 << 25] };
    let one = |name: &str, seconds: fn(&Device, usize, Budget) -> Result<f64>| Measured {
        group: "copies",
        name: name.to_owned(),
        unit: "GB/s",
        axis: "bytes",
        sizes: sizes.to_vec(),
        measure: Box::new(move |bytes, budget| Ok(bytes as f64 / seconds(device, bytes, budget)? / 1e9)),
    };
    vec![
        one("host to device", upload),
        one("host to device, pinned", upload_pinned),
        one("device to host, new vector", download),
        one("device to host, pinned", download_pinned),
        one("device to device", within),
    ]
}

fn upload(device: &Device, bytes: usize, budget: Budget) -> Result<f64> {
    let mut tensor = Tensor::zeros(device, bytes, DType::U8)?;
    let host = vec![1_u8; bytes];
    budget.best(|| timed(|| Ok(tensor.copy_from_slice(&host)?)))
}

fn upload_pinned(device: &Device, bytes: usize, budget: Budget) -> Result<f64> {
    let mut tensor = Tensor::zeros(device, bytes, DType::U8)?;
    let mut host = Some(HostBuffer::<u8>::zeroed(device, bytes)?);
    budget.best(|| {
        timed(|| {
            if let Some(buffer) = host.take() {
                host = Some(tensor.upload(buffer)?.wait()?);
            }
            Ok(())
        })
    })
}

fn download(device: &Device, bytes: usize, budget: Budget) -> Result<f64> {
    let tensor = Tensor::zeros(device, bytes, DType::U8)?;
    device.synchronize()?;
    budget.best(|| timed(|| Ok(tensor.to_vec::<u8>().map(drop)?)))
}

fn download_pinned(device: &Device, bytes: usize, budget: Budget) -> Result<f64> {
    let tensor = Tensor::zeros(device, bytes, DType::U8)?;
    let mut host = Some(HostBuffer::<u8>::zeroed(device, bytes)?);
    device.synchronize()?;
    budget.best(|| {
        timed(|| {
            if let Some(buffer) = host.take() {
                host = Some(tensor.download(buffer)?.wait()?);
            }
            Ok(())
        })
    })
}

fn within(device: &Device, bytes: usize, budget: Budget) -> Result<f64> {
    let source = Tensor::zeros(device, bytes, DType::U8)?;
    let mut target = source.empty_like()?;
    device.synchronize()?;
    budget.best(|| {
        timed(|| {
            target.copy_from(&source)?;
            Ok(device.synchronize()?)
        })
    })
}
