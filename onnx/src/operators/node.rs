//! The attributes of a node with their defaults.

use aclnn::DType;

use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::{Attribute, Graph, Node};

impl Node {
    /// Returns an integer, or its default.
    pub(super) fn int(&self, name: &str, default: i64) -> NodeResult<i64> {
        Ok(self.attributes.int(name)?.unwrap_or(default))
    }

    /// Returns an integer that is 0 or 1, or its default.
    pub(super) fn flag(&self, name: &str, default: bool) -> NodeResult<bool> {
        Ok(self.int(name, i64::from(default))? != 0)
    }

    /// Returns a float, or its default.
    pub(super) fn float(&self, name: &str, default: f32) -> NodeResult<f32> {
        Ok(self.attributes.float(name)?.unwrap_or(default))
    }

    /// Returns a number of 64 bits, which only rewritings give, or its default.
    pub(super) fn number(&self, name: &str, default: f64) -> NodeResult<f64> {
        let Some(array) = self.attributes.tensor(name)? else { return Ok(default) };
        Ok(array.to_f64s()?.first().copied().unwrap_or(default))
    }

    /// Returns a string, or its default.
    pub(super) fn text(&self, name: &str, default: &str) -> NodeResult<String> {
        Ok(self.attributes.text(name)?.unwrap_or(default).to_owned())
    }

    /// Returns integers, if they are given.
    pub(super) fn ints(&self, name: &str) -> NodeResult<Option<Vec<i64>>> {
        Ok(self.attributes.ints(name)?.map(<[i64]>::to_vec))
    }

    /// Returns an element type, if it is given.
    pub(super) fn dtype(&self, name: &str) -> NodeResult<Option<DType>> {
        let Some(code) = self.attributes.int(name)? else { return Ok(None) };
        match i32::try_from(code).ok().and_then(|code| tensor::dtype(code).ok()) {
            Some(dtype) => Ok(Some(dtype)),
            None => Reason::missing(format!("attribute `{name}` is {code}, which is no known element type")),
        }
    }

    /// Reads attributes that change nothing here.
    pub(super) fn ignore(&self, names: &[&str]) {
        for name in names {
            self.attributes.get(name);
        }
    }

    /// Returns an integer that must be given.
    pub(super) fn required_int(&self, name: &str) -> NodeResult<i64> {
        match self.attributes.int(name)? {
            Some(value) => Ok(value),
            None => Reason::text(format!("its attribute `{name}` is missing")),
        }
    }

    /// Returns a graph that must be given.
    pub(super) fn graph(&self, name: &str) -> NodeResult<&Graph> {
        match self.attributes.get(name) {
            Some(Attribute::Graph(graph)) => Ok(graph),
            _ => Reason::text(format!("its graph `{name}` is missing")),
        }
    }
}
