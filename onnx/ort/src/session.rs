//! Sessions: models on a device, and what is known about them.

use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use aclnn_onnx::{Dimension, Model, Value, ValueType};
use ort_sys::*;

use crate::entry::{Answer, Object, Refusal, entries, releases};
#[cfg(feature = "api-31")]
use crate::memory;
use crate::memory::Allocator;
use crate::options::{Choices, Environment, SessionOptions};
use crate::ort_format;
use crate::types::TypeInfo;
use crate::value::Handle;

/// The name of the entry that says where the weights of a model in memory lie.
const FOLDER_ENTRY: &str = "session.model_external_initializers_file_folder_path";

/// A model on a device.
pub(crate) struct Session {
    pub(crate) model: aclnn_onnx::Session,
    inputs: Vec<Port>,
    /// The inputs that have a value in the model.
    overridable: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
    fixed: Vec<(String, i64)>,
    about: Arc<About>,
    /// The memory to which inputs are copied: by this, `ort` sees that they need not live as long as they are bound.
    #[cfg(feature = "api-31")]
    input_memory: memory::MemoryInfo,
}

/// An input or output.
pub(crate) struct Port {
    pub(crate) name: String,
    declared: Option<ValueType>,
    pub(crate) info: TypeInfo,
}

/// The metadata of a model.
pub(crate) struct About {
    producer: String,
    graph_name: String,
    graph_description: String,
    description: String,
    domain: String,
    version: i64,
    entries: Vec<(String, String)>,
}

impl Object for OrtSession {
    type Here = Arc<Session>;
}

impl Object for OrtModelMetadata {
    type Here = Arc<About>;
}

impl Session {
    fn new(environment: &Environment, choices: &Choices, model: &Model) -> Answer<Arc<Session>> {
        let device = environment.device(choices)?;
        let port = |port: aclnn_onnx::Port<'_>| Port {
            name: port.name.to_owned(),
            declared: port.value_type.cloned(),
            info: TypeInfo::declared(port.value_type, &choices.fixed),
        };
        let [producer, _] = model.producer();
        let entries = model.metadata().map(|(key, value)| (key.to_owned(), value.to_owned()));
        let about = About {
            producer: producer.to_owned(),
            graph_name: model.graph_name().to_owned(),
            graph_description: model.graph_description().to_owned(),
            description: model.description().to_owned(),
            domain: model.domain().to_owned(),
            version: model.version(),
            entries: entries.collect(),
        };
        Ok(Arc::new(Session {
            model: model.session_with(&device, &choices.options())?,
            inputs: model.inputs().filter(|input| !input.has_default).map(port).collect(),
            overridable: model.inputs().filter(|input| input.has_default).map(port).collect(),
            outputs: model.outputs().map(port).collect(),
            fixed: choices.fixed.clone(),
            about: Arc::new(about),
            #[cfg(feature = "api-31")]
            input_memory: memory::MemoryInfo::npu(device.id()),
        }))
    }

    /// Checks the axes whose sizes the session fixes.
    fn check_fixed(&self, name: &str, value: &Handle) -> Answer<()> {
        let input = self.inputs.iter().chain(&self.overridable).find(|input| input.name == name);
        let declared = input.and_then(|input| input.declared.as_ref());
        let (Some(ValueType::Tensor { shape: Some(shape), .. }), Some(sizes)) = (declared, value.sizes())
        else {
            return Ok(());
        };
        for (dimension, size) in shape.iter().zip(sizes) {
            let Dimension::Named(axis) = dimension else { continue };
            if let Some((_, fixed)) = self.fixed.iter().find(|(own, fixed)| own == axis && fixed != size) {
                let reason = format!(
                    "input `{name}`: its axis `{axis}` is {size}, and the session fixes it to {fixed}"
                );
                return Err(Refusal::argument(reason));
            }
        }
        Ok(())
    }

    /// Returns an input for a run. It is copied to the device, unless it is there or steers what runs.
    pub(crate) fn input(&self, name: &str, value: &Handle) -> Answer<Value> {
        self.check_fixed(name, value)?;
        value.to_value(self.model.stream())
    }

    /// Checks that an input exists.
    pub(crate) fn check_input(&self, name: &str) -> Answer<()> {
        let inputs = || self.inputs.iter().chain(&self.overridable).map(|input| input.name.as_str());
        if inputs().any(|own| own == name) {
            return Ok(());
        }
        let names: Vec<&str> = inputs().collect();
        Err(Refusal::argument(format!("the model has no input `{name}`; it has {}", names.join(", "))))
    }

    /// Returns an output.
    pub(crate) fn output(&self, name: &str) -> Answer<&Port> {
        self.outputs.iter().find(|output| output.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.outputs.iter().map(|output| output.name.as_str()).collect();
            Refusal::argument(format!("the model has no output `{name}`; it has {}", names.join(", ")))
        })
    }
}

fn port(ports: &[Port], index: usize) -> Answer<&Port> {
    let beyond = || Refusal::argument(format!("there is no number {index}; the session has {}", ports.len()));
    ports.get(index).ok_or_else(beyond)
}

fn choices(options: Option<&SessionOptions>) -> Answer<Choices> {
    options.map_or(Ok(Choices::default()), SessionOptions::choices)
}

fn from_file(
    environment: &Environment,
    options: Option<&SessionOptions>,
    path: &Path,
) -> Answer<Arc<Session>> {
    let choices = choices(options)?;
    // A file that cannot be read is reported when it is opened as a model.
    let mut start = [0; 8];
    if File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() {
        ort_format::replaced(&start)?;
    }
    Session::new(environment, &choices, &Model::open(path)?)
}

fn from_memory(
    environment: &Environment,
    options: Option<&SessionOptions>,
    bytes: &[u8],
) -> Answer<Arc<Session>> {
    let choices = choices(options)?;
    let bytes = ort_format::replaced(bytes)?.unwrap_or_else(|| bytes.to_vec());
    let model = match choices.entries.get(FOLDER_ENTRY) {
        Some(folder) => Model::from_bytes_in(bytes, folder)?,
        None => Model::from_bytes(bytes)?,
    };
    Session::new(environment, &choices, &model)
}

entries! {
    fn CreateSession(
        environment: *const OrtEnv,
        path: *const os_char,
        options: *const OrtSessionOptions,
        out: *mut *mut OrtSession,
    ) {
        out.give(from_file(environment.here()?, options.maybe(), &path.path()?)?)
    }

    fn CreateSessionFromArray(
        environment: *const OrtEnv,
        model: *const c_void,
        length: usize,
        options: *const OrtSessionOptions,
        out: *mut *mut OrtSession,
    ) {
        out.give(from_memory(environment.here()?, options.maybe(), model.bytes(length)?)?)
    }

    fn CreateSessionWithPrepackedWeightsContainer(
        environment: *const OrtEnv,
        path: *const os_char,
        options: *const OrtSessionOptions,
        _weights: *mut OrtPrepackedWeightsContainer,
        out: *mut *mut OrtSession,
    ) {
        out.give(from_file(environment.here()?, options.maybe(), &path.path()?)?)
    }

    fn CreateSessionFromArrayWithPrepackedWeightsContainer(
        environment: *const OrtEnv,
        model: *const c_void,
        length: usize,
        options: *const OrtSessionOptions,
        _weights: *mut OrtPrepackedWeightsContainer,
        out: *mut *mut OrtSession,
    ) {
        out.give(from_memory(environment.here()?, options.maybe(), model.bytes(length)?)?)
    }

    fn SessionGetInputCount(session: *const OrtSession, out: *mut usize) {
        out.set(session.here()?.inputs.len())
    }

    fn SessionGetOutputCount(session: *const OrtSession, out: *mut usize) {
        out.set(session.here()?.outputs.len())
    }

    fn SessionGetOverridableInitializerCount(session: *const OrtSession, out: *mut usize) {
        out.set(session.here()?.overridable.len())
    }

    fn SessionGetInputTypeInfo(session: *const OrtSession, index: usize, out: *mut *mut OrtTypeInfo) {
        out.give(port(&session.here()?.inputs, index)?.info.clone())
    }

    fn SessionGetOutputTypeInfo(session: *const OrtSession, index: usize, out: *mut *mut OrtTypeInfo) {
        out.give(port(&session.here()?.outputs, index)?.info.clone())
    }

    fn SessionGetOverridableInitializerTypeInfo(
        session: *const OrtSession,
        index: usize,
        out: *mut *mut OrtTypeInfo,
    ) {
        out.give(port(&session.here()?.overridable, index)?.info.clone())
    }

    fn SessionGetInputName(
        session: *const OrtSession,
        index: usize,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&port(&session.here()?.inputs, index)?.name)?)
    }

    fn SessionGetOutputName(
        session: *const OrtSession,
        index: usize,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&port(&session.here()?.outputs, index)?.name)?)
    }

    fn SessionGetOverridableInitializerName(
        session: *const OrtSession,
        index: usize,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&port(&session.here()?.overridable, index)?.name)?)
    }

    fn SessionGetModelMetadata(session: *const OrtSession, out: *mut *mut OrtModelMetadata) {
        out.give(session.here()?.about.clone())
    }

    fn ModelMetadataGetProducerName(
        about: *const OrtModelMetadata,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&about.here()?.producer)?)
    }

    fn ModelMetadataGetGraphName(about: *const OrtModelMetadata, allocator: *mut OrtAllocator, out: *mut *mut c_char) {
        out.set(Allocator::of(allocator.raw())?.text(&about.here()?.graph_name)?)
    }

    fn ModelMetadataGetGraphDescription(
        about: *const OrtModelMetadata,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&about.here()?.graph_description)?)
    }

    fn ModelMetadataGetDescription(
        about: *const OrtModelMetadata,
        allocator: *mut OrtAllocator,
        out: *mut *mut c_char,
    ) {
        out.set(Allocator::of(allocator.raw())?.text(&about.here()?.description)?)
    }

    fn ModelMetadataGetDomain(about: *const OrtModelMetadata, allocator: *mut OrtAllocator, out: *mut *mut c_char) {
        out.set(Allocator::of(allocator.raw())?.text(&about.here()?.domain)?)
    }

    fn ModelMetadataGetVersion(about: *const OrtModelMetadata, out: *mut i64) {
        out.set(about.here()?.version)
    }

    fn ModelMetadataLookupCustomMetadataMap(
        about: *const OrtModelMetadata,
        allocator: *mut OrtAllocator,
        key: *const c_char,
        out: *mut *mut c_char,
    ) {
        let key = key.text()?;
        match about.here()?.entries.iter().find(|(own, _)| own == key) {
            Some((_, value)) => out.set(Allocator::of(allocator.raw())?.text(value)?),
            None => out.set(std::ptr::null_mut()),
        }
    }

    fn ModelMetadataGetCustomMetadataMapKeys(
        about: *const OrtModelMetadata,
        allocator: *mut OrtAllocator,
        keys: *mut *mut *mut c_char,
        count: *mut i64,
    ) {
        let entries = &about.here()?.entries;
        count.set(i64::try_from(entries.len()).unwrap_or(i64::MAX))?;
        match entries.is_empty() {
            true => keys.set(std::ptr::null_mut()),
            false => {
                let names = entries.iter().map(|(key, _)| key.as_str());
                keys.set(Allocator::of(allocator.raw())?.texts(names)?)
            }
        }
    }
}

releases!(ReleaseSession OrtSession, ReleaseModelMetadata OrtModelMetadata);

#[cfg(feature = "api-31")]
pub(crate) mod later {
    //! Functions of later levels.

    use super::*;

    entries! {
        fn SessionGetMemoryInfoForInputs(
            session: *const OrtSession,
            out: *mut *const OrtMemoryInfo,
            count: usize,
        ) {
            let memory: *const OrtMemoryInfo = (&raw const session.here()?.input_memory).cast();
            out.set_all(&vec![memory; count])
        }

        fn SessionGetMemoryInfoForOutputs(
            session: *const OrtSession,
            out: *mut *const OrtMemoryInfo,
            count: usize,
        ) {
            session.here()?;
            out.set_all(&vec![memory::host(); count])
        }
    }
}
