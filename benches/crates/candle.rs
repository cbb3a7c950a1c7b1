//! Items by candle, which converts operands of other types before it computes.

use candle_core::{DType, Device, Tensor};

use crate::peers::Result;
use crate::peers::items::{Input, Item, Work};
use crate::peers::subject::{Peer, Run};

pub(crate) fn peer() -> Peer {
    Peer { name: "candle", version: crate::version("candle-core"), prepare }
}

struct Candle {
    work: Work,
    inputs: Vec<Tensor>,
    out: DType,
    count: usize,
    result: Option<Tensor>,
}

fn prepare(item: &Item, shape: &[usize], inputs: &[Vec<u8>]) -> Option<Box<dyn Run>> {
    let tensors: Option<Vec<Tensor>> =
        item.inputs.iter().zip(inputs).map(|(input, bytes)| tensor(input, shape, bytes)).collect();
    let (out, count) = (dtype(item.out)?, shape.iter().product());
    Some(Box::new(Candle { work: item.work, inputs: tensors?, out, count, result: None }))
}

fn dtype(dtype: aclnn::DType) -> Option<DType> {
    Some(match dtype {
        aclnn::DType::F32 => DType::F32,
        aclnn::DType::F64 => DType::F64,
        aclnn::DType::F16 => DType::F16,
        aclnn::DType::BF16 => DType::BF16,
        aclnn::DType::U8 => DType::U8,
        aclnn::DType::I16 => DType::I16,
        aclnn::DType::I32 => DType::I32,
        aclnn::DType::I64 => DType::I64,
        aclnn::DType::F8E4M3FN => DType::F8E4M3,
        _ => return None,
    })
}

fn tensor(input: &Input, shape: &[usize], bytes: &[u8]) -> Option<Tensor> {
    let place = input.place(shape);
    let dims: Vec<usize> = place.dims.iter().map(|&dim| dim as usize).collect();
    let make = |dims: &[usize]| Tensor::from_raw_buffer(bytes, dtype(input.dtype)?, dims, &Device::Cpu).ok();
    match (dims.as_slice(), place.strides.as_slice()) {
        (&[rows, columns], [1, stride]) if columns > 1 && *stride as usize == rows => {
            make(&[columns, rows])?.t().ok()
        }
        (&[count], [2]) => make(&[count, 2])?.narrow(1, 0, 1).and_then(|pairs| pairs.squeeze(1)).ok(),
        _ => make(&dims),
    }
}

impl Candle {
    fn compute(&self) -> candle_core::Result<Tensor> {
        match (self.work, self.inputs.as_slice()) {
            (Work::Cast, [a]) => a.to_dtype(self.out),
            (Work::Arange, _) if self.out == DType::I64 => Tensor::arange(0, self.count as i64, &Device::Cpu),
            // In a type of 16 bits, a range that is summed up step by step never ends.
            (Work::Arange, _) => {
                let step = if self.out == DType::F32 { 1.0 } else { 1.0 / 1024.0 };
                Tensor::arange_step(0.0, self.count as f32 * step, step, &Device::Cpu)?.to_dtype(self.out)
            }
            (work, [a, b]) => {
                let (a, b) = (a.to_dtype(self.out)?, b.to_dtype(self.out)?);
                if matches!(work, Work::Mul) { a.broadcast_mul(&b) } else { a.broadcast_add(&b) }
            }
            _ => unreachable!("no item has so many inputs"),
        }
    }
}

impl Run for Candle {
    fn run(&mut self) -> Result<()> {
        self.result = Some(self.compute()?);
        Ok(())
    }

    fn result(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(result) = &self.result {
            result.write_bytes(&mut bytes)?;
        }
        Ok(bytes)
    }
}
