//! What several tests need.

#![allow(dead_code, reason = "not every program needs everything")]

pub(crate) mod format;

use std::fs;
use std::path::Path;

use aclnn_onnx::cases::{self, Case, Tolerance, differs};
use aclnn_onnx::{Device, Model, Options, Outputs, Rewriting, Session, Tensor, Value};
use tempfile::TempDir;

/// Test cases of operators, from the package onnx. `xtask/onnx/chosen.py` chose them, and describes the form.
pub(crate) const NODES: &[u8] = include_bytes!("../data/nodes.cases");

/// Models that PyTorch exported, and patterns that were written by hand. `xtask/onnx/models/exported.py` and `patterns.py`
/// wrote them, with the outputs that PyTorch and the reference evaluator of onnx compute.
pub(crate) const MODELS: &[u8] = include_bytes!("../data/models.cases");

/// Returns the paths and the contents of the files in a file.
pub(crate) fn files(mut packed: &'static [u8]) -> Vec<(&'static str, &'static [u8])> {
    let mut files = Vec::new();
    while !packed.is_empty() {
        let end = packed.iter().position(|&byte| byte == b'\n').unwrap();
        let line = std::str::from_utf8(&packed[..end]).unwrap();
        let (path, length) = line.rsplit_once(' ').unwrap();
        let (content, rest) = packed[end + 1..].split_at(length.parse().unwrap());
        files.push((path, content));
        packed = rest;
    }
    files
}

/// Writes the cases whose names pass a filter into a folder, which lives as long as what is returned.
pub(crate) fn unpacked(packed: &'static [u8], filter: impl Fn(&str) -> bool) -> (TempDir, Vec<Case>) {
    // In memory, where there is such a folder: there are thousands of files.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    for (path, content) in files(packed) {
        if filter(path.split('/').next().unwrap()) {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }
    let cases = cases::find(folder.path()).unwrap();
    (folder, cases)
}

/// Inputs or outputs by name.
type Values = Vec<(String, Value)>;

/// A model, with inputs and the outputs that are expected for them.
pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) sets: Vec<(Values, Values)>,
    pub(crate) tolerance: Tolerance,
}

impl Example {
    /// Reads the examples in a file whose names pass a filter.
    pub(crate) fn all(packed: &'static [u8], filter: impl Fn(&str) -> bool) -> Vec<Example> {
        let (_folder, cases) = unpacked(packed, filter);
        cases.iter().map(Example::read).collect()
    }

    /// Reads the model of a name.
    pub(crate) fn of(name: &str) -> Example {
        Example::all(MODELS, |other| other == name).pop().unwrap()
    }

    fn read(case: &Case) -> Example {
        // In memory, so that the folder can go.
        let model = Model::from_bytes(fs::read(case.folder().join("model.onnx")).unwrap()).unwrap();
        let read = |folder: &Path, kind: &str, number: usize, port: aclnn_onnx::Port<'_>| {
            let path = folder.join(format!("{kind}_{number}.pb"));
            path.exists().then(|| (port.name.to_owned(), cases::read_value(&path, port.value_type).unwrap()))
        };
        let folders = (0..).map(|number| case.folder().join(format!("test_data_set_{number}")));
        let sets = folders.take_while(|folder| folder.exists()).map(|folder| {
            let inputs = model.inputs().enumerate();
            let inputs = inputs.filter_map(|(number, port)| read(&folder, "input", number, port));
            let outputs = model.outputs().enumerate();
            let outputs = outputs.filter_map(|(number, port)| read(&folder, "output", number, port));
            (inputs.collect(), outputs.collect())
        });
        let sets = sets.collect();
        Example { name: case.name(), model, sets, tolerance: case.tolerance() }
    }

    /// Returns how outputs differ from what is expected of a set; nothing if they do not.
    pub(crate) fn wrong(&self, set: usize, outputs: &Outputs<'_>) -> aclnn_onnx::Result<Option<String>> {
        let expected = &self.sets[set].1;
        assert!(!expected.is_empty(), "{} expects nothing", self.name);
        for (name, expected) in expected {
            if let Some(reason) = differs(outputs.get(name).unwrap(), expected, self.tolerance)? {
                return Ok(Some(format!("{}, set {set}, {name}: {reason}", self.name)));
            }
        }
        Ok(None)
    }

    /// Returns the inputs of a set, on the device as most programs give them.
    pub(crate) fn inputs(&self, set: usize, device: &Device) -> aclnn_onnx::Result<Values> {
        let inputs = self.sets[set].0.iter().map(|(name, value)| {
            let Value::Known(known) = value else { return Ok((name.clone(), value.clone())) };
            let array = known.array();
            let tensor = Tensor::from_bytes(device, array.dtype(), array.bytes(), array.shape().clone())?;
            Ok((name.clone(), tensor.into()))
        });
        inputs.collect()
    }

    /// Runs a session on a set. Returns what differs.
    pub(crate) fn try_set(&self, session: &Session, set: usize) -> aclnn_onnx::Result<Option<String>> {
        let outputs = session.run(self.inputs(set, session.device())?)?;
        self.wrong(set, &outputs)
    }

    /// Runs a session on every set. Returns what differs or fails.
    pub(crate) fn failure(&self, session: &Session) -> Option<String> {
        (0..self.sets.len()).find_map(|set| match self.try_set(session, set) {
            Ok(wrong) => wrong,
            Err(error) => Some(format!("{}, set {set}: {error}", self.name)),
        })
    }
}

pub(crate) fn device() -> Device {
    Device::open(0).unwrap()
}

/// Options without any rewriting.
pub(crate) fn plain() -> Options {
    Rewriting::ALL.iter().fold(Options::default(), |options, each| options.without(each.name()))
}

/// Returns the operators that a plan launches.
pub(crate) fn launched(session: &Session) -> Vec<&'static str> {
    let plan = session.plan().unwrap();
    plan.nodes().iter().flat_map(|node| node.calls()).map(|call| call.operator).collect()
}
