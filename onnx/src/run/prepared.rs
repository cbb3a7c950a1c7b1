//! What a node does: its attributes are read once, its work runs many times.

use super::call::Call;
use super::values::Values;
use crate::error::NodeResult;

/// The work of a node.
pub(crate) type Work = Box<dyn Fn(&Call<'_>) -> NodeResult<Values> + Send + Sync>;

/// A node that is ready to run.
///
/// If it has work on both sides, it runs on the host where the host knows all inputs and they are small, and where the
/// device takes none of their types; otherwise on the device.
pub(crate) struct Prepared {
    pub(super) device: Option<Work>,
    pub(super) host: Option<Work>,
    /// Why it always runs on the host; empty if it does not.
    pub(super) because: &'static str,
    /// Whether the device works only on elements of whole bytes.
    pub(super) whole_bytes: bool,
    /// Whether the same inputs always give the same outputs, so that it can run before the first run.
    pub(super) constant: bool,
    /// Whether the outputs depend on the shapes of the inputs alone.
    pub(super) of_shapes: bool,
}

impl Prepared {
    /// Work on the device.
    pub(crate) fn device<V: Into<Values>>(
        work: impl Fn(&Call<'_>) -> NodeResult<V> + Send + Sync + 'static,
    ) -> Prepared {
        Prepared {
            device: Some(boxed(work)),
            host: None,
            because: "",
            whole_bytes: false,
            constant: true,
            of_shapes: false,
        }
    }

    /// Work on the host alone, for a reason in a few words: "strings are on the host".
    pub(crate) fn host<V: Into<Values>>(
        because: &'static str,
        work: impl Fn(&Call<'_>) -> NodeResult<V> + Send + Sync + 'static,
    ) -> Prepared {
        Prepared {
            device: None,
            host: Some(boxed(work)),
            because,
            whole_bytes: false,
            constant: true,
            of_shapes: false,
        }
    }

    /// Adds work on the host, for values that the host knows.
    pub(crate) fn or_host<V: Into<Values>>(
        mut self,
        work: impl Fn(&Call<'_>) -> NodeResult<V> + Send + Sync + 'static,
    ) -> Prepared {
        self.host = Some(boxed(work));
        self
    }

    /// Leaves elements of less than a byte to the host.
    pub(crate) fn of_whole_bytes(mut self) -> Prepared {
        self.whole_bytes = true;
        self
    }

    /// Marks a node that uses the shapes of its inputs alone, not their elements.
    pub(crate) fn of_shapes(mut self) -> Prepared {
        self.of_shapes = true;
        self
    }

    /// Marks a node that must run each time: it draws random numbers.
    pub(crate) fn each_time(mut self) -> Prepared {
        self.constant = false;
        self
    }
}

fn boxed<V: Into<Values>>(work: impl Fn(&Call<'_>) -> NodeResult<V> + Send + Sync + 'static) -> Work {
    Box::new(move |call| Ok(work(call)?.into()))
}
