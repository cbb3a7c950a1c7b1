//! The first data set of a test case.

use std::path::{Path, PathBuf};

use aclnn_onnx::cases::{self, Tolerance, differs, read_value};
use aclnn_onnx::{Array, Model, Value};

use crate::Result;

pub(crate) struct Case {
    /// The path of the model.
    pub(crate) path: PathBuf,
    /// The inputs with their names, in the order of the model.
    pub(crate) inputs: Vec<(String, Array)>,
    outputs: Vec<(String, Value)>,
    tolerance: Tolerance,
}

impl Case {
    pub(crate) fn read(folder: &Path) -> Result<Case> {
        let path = folder.join("model.onnx");
        let model = Model::open(&path)?;
        let file =
            |kind: &str, number: usize| folder.join("test_data_set_0").join(format!("{kind}_{number}.pb"));
        let mut inputs = Vec::new();
        for (number, port) in model.inputs().enumerate() {
            let file = file("input", number);
            // Those behind the last have defaults.
            if file.exists() {
                inputs.push((port.name.to_owned(), read_value(&file, port.value_type)?.to_array()?));
            }
        }
        let mut outputs = Vec::new();
        for (number, port) in model.outputs().enumerate() {
            let file = file("output", number);
            if file.exists() {
                outputs.push((port.name.to_owned(), read_value(&file, port.value_type)?));
            }
        }
        let tolerance = cases::Case::open(folder)?.tolerance();
        Ok(Case { path, inputs, outputs, tolerance })
    }

    /// Compares outputs with those that are expected.
    pub(crate) fn compare(&self, outputs: &[Value]) -> Result<()> {
        for ((name, expected), given) in self.outputs.iter().zip(outputs) {
            if let Some(reason) = differs(given, expected, self.tolerance)? {
                return Err(format!("output {name}: {reason}").into());
            }
        }
        Ok(())
    }
}
