//! The crate tract-onnx, optimised for the shapes of the inputs.

use std::sync::Arc;
use std::time::Instant;

use aclnn_onnx::{Array, DType, Value};
use serde_json::json;
use tract_onnx::prelude::*;

use crate::case::Case;
use crate::{Engine, Result};

#[derive(Default)]
pub(crate) struct Tract {
    loaded: Option<(Arc<TypedRunnableModel>, TVec<TValue>)>,
}

/// The element types that the models have.
const TYPES: &[(DType, DatumType)] = &[
    (DType::F32, DatumType::F32),
    (DType::F64, DatumType::F64),
    (DType::F16, DatumType::F16),
    (DType::I64, DatumType::I64),
    (DType::I32, DatumType::I32),
    (DType::I8, DatumType::I8),
    (DType::U8, DatumType::U8),
    (DType::Bool, DatumType::Bool),
];

impl Engine for Tract {
    fn load(&mut self, case: &Case) -> Result<(Vec<Value>, serde_json::Value)> {
        self.loaded = None;
        let start = Instant::now();
        let mut model = tract_onnx::onnx().model_for_path(&case.path).map_err(text)?;
        let mut inputs = tvec![];
        for (number, (_, array)) in case.inputs.iter().enumerate() {
            let tensor = tensor(array)?;
            let fact = InferenceFact::dt_shape(tensor.datum_type(), tensor.shape());
            model.set_input_fact(number, fact).map_err(text)?;
            inputs.push(tensor.into_tvalue());
        }
        let model = model.into_optimized().and_then(|model| model.into_runnable()).map_err(text)?;
        let seconds = start.elapsed().as_secs_f64();
        let outputs = model.run(inputs.clone()).map_err(text)?;
        let outputs: Result<Vec<Value>> = outputs.iter().map(|tensor| Ok(array(tensor)?.into())).collect();
        self.loaded = Some((model, inputs));
        Ok((outputs?, json!({"session_ms": seconds * 1e3})))
    }

    fn run(&mut self) -> Result<()> {
        let (model, inputs) = self.loaded.as_ref().ok_or("no model is loaded")?;
        std::hint::black_box(model.run(inputs.clone()).map_err(text)?);
        Ok(())
    }
}

/// Returns an error with its causes, in one line.
fn text(error: TractError) -> Box<dyn std::error::Error> {
    format!("{error:#}").into()
}

fn tensor(array: &Array) -> Result<Tensor> {
    let (_, dtype) = TYPES
        .iter()
        .find(|(ours, _)| *ours == array.dtype())
        .ok_or_else(|| format!("{} is no type of the bench", array.dtype()))?;
    // SAFETY: elements of these types are plain bytes, and an array of them has the bytes of its shape.
    unsafe { Tensor::from_raw_dt(*dtype, &array.shape()[..], array.bytes()) }.map_err(text)
}

fn array(tensor: &Tensor) -> Result<Array> {
    // Shapes that are computed have a type of their own.
    let cast = match tensor.datum_type() {
        DatumType::TDim => tensor.cast_to_dt(DatumType::I64).map_err(text)?.into_owned(),
        _ => tensor.clone(),
    };
    let (dtype, _) = TYPES
        .iter()
        .find(|(_, theirs)| *theirs == cast.datum_type())
        .ok_or_else(|| format!("{:?} is no type of the bench", cast.datum_type()))?;
    Ok(Array::new(*dtype, cast.shape(), cast.as_bytes().to_vec())?)
}
