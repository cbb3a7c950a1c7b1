//! This project, on the emulator.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use aclnn_onnx::{Device, Model, Placement, Session, Tensor, Value};
use serde_json::json;

use crate::case::Case;
use crate::{Engine, Result};

/// How often nodes are measured; the fastest time of each counts.
const MEASUREMENTS: usize = 3;

pub(crate) struct Ours {
    device: Device,
    loaded: Option<(Session, Vec<(String, Tensor)>)>,
}

impl Ours {
    pub(crate) fn new() -> Result<Ours> {
        Ok(Ours { device: Device::open(0)?, loaded: None })
    }

    fn loaded(&self) -> Result<&(Session, Vec<(String, Tensor)>)> {
        Ok(self.loaded.as_ref().ok_or("no model is loaded")?)
    }
}

impl Engine for Ours {
    fn load(&mut self, case: &Case) -> Result<(Vec<Value>, serde_json::Value)> {
        self.loaded = None;
        let start = Instant::now();
        let session = Model::open(&case.path)?.session(&self.device)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut inputs = Vec::new();
        for (name, array) in &case.inputs {
            let tensor =
                Tensor::from_bytes(session.stream(), array.dtype(), array.bytes(), array.shape().clone())?;
            inputs.push((name.clone(), tensor));
        }
        let outputs = session.run(inputs.iter().map(|(name, tensor)| (name, tensor)))?;
        let outputs: Vec<Value> = outputs.iter().map(|(_, value)| value.clone()).collect();
        self.device.synchronize()?;
        let plan = session.plan()?;
        let (launches, waits) = (plan.launches(), plan.waits());

        let mut times: Vec<Duration> = vec![Duration::MAX; plan.nodes().len()];
        for _ in 0..MEASUREMENTS {
            let (_, measured) = session.run_measured(inputs.iter().map(|(name, tensor)| (name, tensor)))?;
            for (least, node) in times.iter_mut().zip(measured.nodes()) {
                *least = node.time().unwrap_or_default().min(*least);
            }
        }
        let mut operators: BTreeMap<&str, (u64, u64, usize)> = BTreeMap::new();
        for (node, time) in plan.nodes().iter().zip(times) {
            if matches!(node.placement(), Placement::Folded | Placement::Settled) {
                continue;
            }
            let (sum, nodes, launches) = operators.entry(node.operator()).or_default();
            *sum += time.as_nanos() as u64;
            *nodes += 1;
            *launches += node.calls().len();
        }
        let facts = json!({
            "session_ms": seconds * 1e3, "launches": launches, "waits": waits, "nodes": plan.nodes().len(),
            "operators": operators,
        });
        self.loaded = Some((session, inputs));
        Ok((outputs, facts))
    }

    fn run(&mut self) -> Result<()> {
        let (session, inputs) = self.loaded()?;
        let outputs = session.run(inputs.iter().map(|(name, tensor)| (name, tensor)))?;
        session.stream().synchronize()?;
        std::hint::black_box(outputs);
        Ok(())
    }

    fn direct(&mut self) -> Result<()> {
        let (session, inputs) = self.loaded()?;
        let [(_, x), (_, w)] = inputs.as_slice() else {
            return Err("the chain of nodes has two inputs".into());
        };
        let mut y = x.clone();
        // As `measure.py` writes the nodes.
        for _ in 0..250 {
            y = y.relu()?.add(w)?.mul(w)?.sigmoid()?;
        }
        session.stream().synchronize()?;
        std::hint::black_box(y);
        Ok(())
    }
}
