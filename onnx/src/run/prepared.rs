//! What a node does: its attributes are read once, its work runs many times.

use aclnn::DType;

use super::call::Call;
use super::notes::Place;
use super::values::Values;
use crate::error::{NodeResult, Reason};
use crate::host::FEW;
use crate::value::Value;

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

impl Prepared {
    /// Runs the work with other inputs than those of the call.
    pub(crate) fn run_with(&self, call: &Call<'_>, inputs: &[Option<&Value>]) -> NodeResult<Values> {
        self.run(&Call { inputs, are_others: true, ..*call })
    }

    /// Runs the work.
    pub(super) fn run(&self, call: &Call<'_>) -> NodeResult<Values> {
        let (device, host) = match (&self.device, &self.host) {
            (Some(device), Some(host)) => (device, host),
            (Some(device), None) => return device(call),
            (None, Some(host)) => {
                call.note(|notes| notes.place = Place::Host(self.because.to_owned()));
                return host(call);
            }
            (None, None) => return Reason::missing("it has no work"),
        };
        let mut values = call.inputs.iter().flatten();
        if values.clone().any(|value| value.dtype() == Some(DType::String)) {
            call.note(|notes| notes.place = Place::Host("strings are on the host".to_owned()));
            return host(call);
        }
        if self.whole_bytes && values.clone().any(|value| value.dtype().is_some_and(|dtype| dtype.bits() < 8))
        {
            call.note(|notes| {
                notes.place = Place::Host("elements of less than a byte are moved there".to_owned())
            });
            return host(call);
        }
        let known = values.try_fold(0, |elements, value| Some(elements + value.known()?.numel()));
        if known.is_some_and(|elements| elements <= FEW) {
            match host(call) {
                Ok(values) => {
                    call.note(|notes| notes.place = Place::Steering);
                    return Ok(values);
                }
                Err(Reason::Missing(_)) => {}
                Err(error) => return Err(error),
            }
        }
        match device(call) {
            Err(Reason::Device(error)) if is_about_types(&error) => {
                call.note(|notes| notes.place = Place::Host(error.to_string()));
                match host(call) {
                    Err(Reason::Missing(_)) => Err(Reason::Device(error)),
                    result => result,
                }
            }
            result => result,
        }
    }
}

/// Returns whether the device would compute the same with other types.
fn is_about_types(error: &aclnn::Error) -> bool {
    use aclnn::Error::{NoCast, NotPromotable, Unsupported};
    matches!(error, Unsupported { .. } | NoCast { .. } | NotPromotable { .. })
}
