//! The attributes of a node, read by name and kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Attribute, Attributes, Graph};
use crate::array::Array;
use crate::error::{NodeResult, Reason};

impl Attribute {
    /// Returns a number of 64 bits as an attribute: a tensor of one element, since floats have 32 bits.
    pub(crate) fn number(value: f64) -> Attribute {
        Attribute::Tensor(Array::from_value(value))
    }

    fn kind(&self) -> &'static str {
        match self {
            Attribute::Float(_) => "a float",
            Attribute::Int(_) => "an integer",
            Attribute::Text(_) => "a string",
            Attribute::Tensor(_) => "a tensor",
            Attribute::Graph(_) => "a graph",
            Attribute::Type => "a type",
            Attribute::Floats(_) => "floats",
            Attribute::Ints(_) => "integers",
            Attribute::Texts(_) => "strings",
            Attribute::Tensors => "tensors",
        }
    }
}

impl Attributes {
    pub(crate) fn push(&mut self, name: String, value: Attribute) {
        // They are shared once they are complete.
        if let Some(all) = Arc::get_mut(&mut self.0) {
            all.push((name, value, AtomicBool::new(false)));
        }
    }

    /// Returns an attribute, and notes that it was read.
    pub(crate) fn get(&self, name: &str) -> Option<&Attribute> {
        let (_, value, read) = self.0.iter().find(|(own, ..)| own == name)?;
        read.store(true, Ordering::Relaxed);
        Some(value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, ..)| own == name)
    }

    /// Returns the graphs among the attributes, in their order.
    pub(crate) fn graphs(&self) -> impl Iterator<Item = (&str, &Graph)> {
        self.0.iter().filter_map(|(name, value, _)| match value {
            Attribute::Graph(graph) => Some((name.as_str(), &**graph)),
            _ => None,
        })
    }

    /// Returns the attributes with other graphs in the place of those that they have, in their order.
    pub(crate) fn with_graphs(&self, mut other: impl FnMut(&Graph) -> Graph) -> Attributes {
        let all = self.0.iter().map(|(name, value, read)| {
            let value = match value {
                Attribute::Graph(graph) => Attribute::Graph(Box::new(other(graph))),
                value => value.clone(),
            };
            (name.clone(), value, AtomicBool::new(read.load(Ordering::Relaxed)))
        });
        Attributes(Arc::new(all.collect()))
    }

    /// Returns the name of an attribute that nobody has read.
    pub(crate) fn unread(&self) -> Option<&str> {
        let unread = self.0.iter().find(|(.., read)| !read.load(Ordering::Relaxed));
        unread.map(|(name, ..)| name.as_str())
    }

    fn wrong<T>(name: &str, found: &Attribute, wanted: &str) -> NodeResult<T> {
        Reason::text(format!("attribute `{name}` is {}, not {wanted}", found.kind()))
    }

    pub(crate) fn int(&self, name: &str) -> NodeResult<Option<i64>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Int(value)) => Ok(Some(*value)),
            Some(other) => Self::wrong(name, other, "an integer"),
        }
    }

    pub(crate) fn float(&self, name: &str) -> NodeResult<Option<f32>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Float(value)) => Ok(Some(*value)),
            Some(other) => Self::wrong(name, other, "a float"),
        }
    }

    pub(crate) fn text(&self, name: &str) -> NodeResult<Option<&str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Text(value)) => match std::str::from_utf8(value) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Reason::text(format!("attribute `{name}` is not UTF-8")),
            },
            Some(other) => Self::wrong(name, other, "a string"),
        }
    }

    pub(crate) fn ints(&self, name: &str) -> NodeResult<Option<&[i64]>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Ints(value)) => Ok(Some(value)),
            Some(other) => Self::wrong(name, other, "integers"),
        }
    }

    pub(crate) fn floats(&self, name: &str) -> NodeResult<Option<&[f32]>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Floats(value)) => Ok(Some(value)),
            Some(other) => Self::wrong(name, other, "floats"),
        }
    }

    pub(crate) fn texts(&self, name: &str) -> NodeResult<Option<Vec<String>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Texts(values)) => {
                let texts: Result<Vec<String>, _> =
                    values.iter().map(|text| String::from_utf8(text.to_vec())).collect();
                match texts {
                    Ok(texts) => Ok(Some(texts)),
                    Err(_) => Reason::text(format!("attribute `{name}` is not UTF-8")),
                }
            }
            Some(other) => Self::wrong(name, other, "strings"),
        }
    }

    pub(crate) fn tensor(&self, name: &str) -> NodeResult<Option<&Array>> {
        match self.get(name) {
            None => Ok(None),
            Some(Attribute::Tensor(value)) => Ok(Some(value)),
            Some(other) => Self::wrong(name, other, "a tensor"),
        }
    }
}
