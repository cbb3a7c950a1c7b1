//! Environments, and options of sessions and of runs.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use aclnn::Device;
use aclnn_onnx::Rewriting;
use ort_sys::*;

use crate::entry::{Answer, Object, Refusal, entries, releases};

/// The execution providers that programs can ask for: CANN's, which is what serves here, and the one that is always there.
const PROVIDERS: [&str; 2] = ["CANNExecutionProvider", "CPUExecutionProvider"];

/// The name of the entry of a session that chooses the device, by its ordinal.
const DEVICE_ENTRY: &str = "session.aclnn.device";

/// The variable that chooses the device where the session does not.
const DEVICE_VARIABLE: &str = "ORT_ACLNN_DEVICE";

/// An environment. The devices of its sessions stay open as long as it lives.
#[derive(Default)]
pub(crate) struct Environment {
    devices: Mutex<Vec<Device>>,
}

impl Object for OrtEnv {
    type Here = Environment;
}

/// Options of a pool of threads: the threads here are those of the device.
pub(crate) struct Threading;

impl Object for OrtThreadingOptions {
    type Here = Threading;
}

/// Weights that sessions share: nothing, since they lie on the device.
pub(crate) struct Prepacked;

impl Object for OrtPrepackedWeightsContainer {
    type Here = Prepacked;
}

/// The options of a session.
#[derive(Default)]
pub(crate) struct SessionOptions(Mutex<Choices>);

#[derive(Clone, Default)]
pub(crate) struct Choices {
    pub(crate) entries: BTreeMap<String, String>,
    /// The sizes of axes that the model only names.
    pub(crate) fixed: Vec<(String, i64)>,
    /// Whether the model runs as it is written.
    plain: bool,
    device: Option<i32>,
    canceled: bool,
}

impl Object for OrtSessionOptions {
    type Here = SessionOptions;
}

/// Options of the execution provider of CANN.
#[derive(Default)]
pub(crate) struct Provider {
    device: Option<i32>,
}

impl Object for OrtCANNProviderOptions {
    type Here = Provider;
}

/// The options of a run. Another thread may end it.
pub(crate) struct RunOptions {
    tag: Mutex<CString>,
    entries: Mutex<BTreeMap<String, CString>>,
    severity: AtomicI32,
    verbosity: AtomicI32,
    terminated: AtomicBool,
}

impl Object for OrtRunOptions {
    type Here = RunOptions;
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ordinal(text: &str, place: &str) -> Answer<i32> {
    text.parse().map_err(|_| {
        Refusal::argument(format!(
            "{place} is `{text}`; it chooses a device by its ordinal, of which the first is 0"
        ))
    })
}

impl Environment {
    /// Opens the device for a session.
    pub(crate) fn device(&self, choices: &Choices) -> Answer<Device> {
        let variable = std::env::var(DEVICE_VARIABLE).ok();
        let id = match (choices.entries.get(DEVICE_ENTRY), choices.device, variable) {
            (Some(text), ..) => ordinal(text, &format!("the entry `{DEVICE_ENTRY}` of the session"))?,
            (None, Some(id), _) => id,
            (None, None, Some(text)) => ordinal(&text, &format!("the variable {DEVICE_VARIABLE}"))?,
            (None, None, None) => 0,
        };
        let device = Device::open(id)?;
        let mut devices = locked(&self.devices);
        if devices.iter().all(|open| open.id() != id) {
            devices.push(device.clone());
        }
        Ok(device)
    }
}

impl SessionOptions {
    pub(crate) fn choices(&self) -> Answer<Choices> {
        let choices = locked(&self.0).clone();
        match choices.canceled {
            true => Err(Refusal::new(
                OrtErrorCode::ORT_MODEL_LOAD_CANCELED,
                "the model is not loaded: it was canceled",
            )),
            false => Ok(choices),
        }
    }
}

impl Choices {
    /// Returns how the session of a model is made.
    pub(crate) fn options(&self) -> aclnn_onnx::Options {
        let all = if self.plain { Rewriting::ALL } else { &[] };
        all.iter().fold(aclnn_onnx::Options::default(), |options, each| options.without(each.name()))
    }
}

impl RunOptions {
    pub(crate) fn check(&self) -> Answer<()> {
        match self.terminated.load(Ordering::Acquire) {
            true => Err(Refusal::new(OrtErrorCode::ORT_FAIL, "the run ends, since its options say so")),
            false => Ok(()),
        }
    }

    /// Whether the run waits until its outputs are computed.
    pub(crate) fn waits(&self) -> bool {
        let entries = locked(&self.entries);
        let entry = entries.get("disable_synchronize_execution_providers");
        entry.is_none_or(|value| value.as_bytes() != b"1")
    }

    #[cfg(feature = "api-31")]
    fn entry(&self, key: &str) -> *const c_char {
        locked(&self.entries).get(key).map_or(std::ptr::null(), |value| value.as_ptr())
    }
}

fn text(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

entries! {
    fn CreateEnv(_level: OrtLoggingLevel, _name: *const c_char, out: *mut *mut OrtEnv) {
        out.give(Environment::default())
    }

    fn CreateEnvWithCustomLogger(
        _logger: OrtLoggingFunction,
        _parameter: *mut c_void,
        _level: OrtLoggingLevel,
        _name: *const c_char,
        out: *mut *mut OrtEnv,
    ) {
        out.give(Environment::default())
    }

    fn CreateEnvWithGlobalThreadPools(
        _level: OrtLoggingLevel,
        _name: *const c_char,
        _threading: *const OrtThreadingOptions,
        out: *mut *mut OrtEnv,
    ) {
        out.give(Environment::default())
    }

    fn CreateEnvWithCustomLoggerAndGlobalThreadPools(
        _logger: OrtLoggingFunction,
        _parameter: *mut c_void,
        _level: OrtLoggingLevel,
        _name: *const c_char,
        _threading: *const OrtThreadingOptions,
        out: *mut *mut OrtEnv,
    ) {
        out.give(Environment::default())
    }

    fn CreateThreadingOptions(out: *mut *mut OrtThreadingOptions) {
        out.give(Threading)
    }

    fn CreatePrepackedWeightsContainer(out: *mut *mut OrtPrepackedWeightsContainer) {
        out.give(Prepacked)
    }

    fn GetAvailableProviders(out: *mut *mut *mut c_char, count: *mut c_int) {
        let names = PROVIDERS.map(|name| text(name).into_raw());
        let list: Box<[*mut c_char]> = Box::new(names);
        count.set(PROVIDERS.len() as c_int)?;
        out.set(Box::into_raw(list).cast())
    }

    fn ReleaseAvailableProviders(list: *mut *mut c_char, count: c_int) {
        if list.is_null() || count != PROVIDERS.len() as c_int {
            return Ok(());
        }
        // SAFETY: callers of the C interface end the list that `GetAvailableProviders` gave, which has this length.
        let list = unsafe { Box::from_raw(list.raw().cast::<[*mut c_char; PROVIDERS.len()]>()) };
        // SAFETY: the texts were made with it.
        list.into_iter().for_each(|name| drop(unsafe { CString::from_raw(name) }));
        Ok(())
    }

    fn CreateSessionOptions(out: *mut *mut OrtSessionOptions) {
        out.give(SessionOptions::default())
    }

    fn CloneSessionOptions(options: *const OrtSessionOptions, out: *mut *mut OrtSessionOptions) {
        out.give(SessionOptions(Mutex::new(locked(&options.here()?.0).clone())))
    }

    fn SetSessionGraphOptimizationLevel(options: *mut OrtSessionOptions, level: GraphOptimizationLevel) {
        locked(&options.here()?.0).plain = level == GraphOptimizationLevel::ORT_DISABLE_ALL;
        Ok(())
    }

    fn AddFreeDimensionOverrideByName(options: *mut OrtSessionOptions, name: *const c_char, size: i64) {
        let (name, mut choices) = (name.text()?, locked(&options.here()?.0));
        choices.fixed.retain(|(own, _)| own != name);
        choices.fixed.push((name.to_owned(), size));
        Ok(())
    }

    fn AddSessionConfigEntry(options: *mut OrtSessionOptions, key: *const c_char, value: *const c_char) {
        let (key, value) = (key.text()?.to_owned(), value.text()?.to_owned());
        locked(&options.here()?.0).entries.insert(key, value);
        Ok(())
    }

    fn HasSessionConfigEntry(options: *const OrtSessionOptions, key: *const c_char, out: *mut c_int) {
        out.set(c_int::from(locked(&options.here()?.0).entries.contains_key(key.text()?)))
    }

    fn GetSessionConfigEntry(
        options: *const OrtSessionOptions,
        key: *const c_char,
        out: *mut c_char,
        size: *mut usize,
    ) {
        let (key, choices) = (key.text()?, locked(&options.here()?.0));
        let absent = || Refusal::argument(format!("the session has no entry `{key}`"));
        let value = text(choices.entries.get(key).ok_or_else(absent)?);
        let bytes: Vec<c_char> = value.as_bytes_with_nul().iter().map(|&byte| byte as c_char).collect();
        let room = size.get()?;
        size.set(bytes.len())?;
        match out.is_null() {
            true => Ok(()),
            false if room < bytes.len() => {
                Err(Refusal::argument(format!("the entry `{key}` takes {} bytes", bytes.len())))
            }
            false => out.set_all(&bytes),
        }
    }

    fn CreateCANNProviderOptions(out: *mut *mut OrtCANNProviderOptions) {
        out.give(Provider::default())
    }

    fn UpdateCANNProviderOptions(
        options: *mut OrtCANNProviderOptions,
        keys: *const *const c_char,
        values: *const *const c_char,
        count: usize,
    ) {
        for (key, value) in keys.texts(count)?.into_iter().zip(values.texts(count)?) {
            // The others are about graphs that CANN compiles, and about its memory.
            if key == "device_id" {
                options.here_mut()?.device = Some(ordinal(value, "the option `device_id`")?);
            }
        }
        Ok(())
    }

    fn SessionOptionsAppendExecutionProvider_CANN(
        options: *mut OrtSessionOptions,
        provider: *const OrtCANNProviderOptions,
    ) {
        locked(&options.here()?.0).device = provider.here()?.device;
        Ok(())
    }

    fn CreateRunOptions(out: *mut *mut OrtRunOptions) {
        out.give(RunOptions {
            tag: Mutex::default(),
            entries: Mutex::default(),
            severity: AtomicI32::new(OrtLoggingLevel::ORT_LOGGING_LEVEL_WARNING as i32),
            verbosity: AtomicI32::new(0),
            terminated: AtomicBool::new(false),
        })
    }

    fn RunOptionsSetRunLogVerbosityLevel(options: *mut OrtRunOptions, level: c_int) {
        options.here()?.verbosity.store(level, Ordering::Relaxed);
        Ok(())
    }

    fn RunOptionsSetRunLogSeverityLevel(options: *mut OrtRunOptions, level: c_int) {
        options.here()?.severity.store(level, Ordering::Relaxed);
        Ok(())
    }

    fn RunOptionsGetRunLogVerbosityLevel(options: *const OrtRunOptions, out: *mut c_int) {
        out.set(options.here()?.verbosity.load(Ordering::Relaxed))
    }

    fn RunOptionsGetRunLogSeverityLevel(options: *const OrtRunOptions, out: *mut c_int) {
        out.set(options.here()?.severity.load(Ordering::Relaxed))
    }

    fn RunOptionsSetRunTag(options: *mut OrtRunOptions, tag: *const c_char) {
        *locked(&options.here()?.tag) = text(tag.text()?);
        Ok(())
    }

    fn RunOptionsGetRunTag(options: *const OrtRunOptions, out: *mut *const c_char) {
        out.set(locked(&options.here()?.tag).as_ptr())
    }

    fn RunOptionsSetTerminate(options: *mut OrtRunOptions) {
        options.here()?.terminated.store(true, Ordering::Release);
        Ok(())
    }

    fn RunOptionsUnsetTerminate(options: *mut OrtRunOptions) {
        options.here()?.terminated.store(false, Ordering::Release);
        Ok(())
    }

    fn AddRunConfigEntry(options: *mut OrtRunOptions, key: *const c_char, value: *const c_char) {
        let (key, value) = (key.text()?.to_owned(), text(value.text()?));
        locked(&options.here()?.entries).insert(key, value);
        Ok(())
    }
}

releases!(
    ReleaseEnv OrtEnv,
    ReleaseThreadingOptions OrtThreadingOptions,
    ReleasePrepackedWeightsContainer OrtPrepackedWeightsContainer,
    ReleaseSessionOptions OrtSessionOptions,
    ReleaseCANNProviderOptions OrtCANNProviderOptions,
    ReleaseRunOptions OrtRunOptions,
);

#[cfg(feature = "api-31")]
pub(crate) mod later {
    //! Functions of later levels.

    use super::*;

    entries! {
        fn CreateEnvWithOptions(_options: *const OrtEnvCreationOptions, out: *mut *mut OrtEnv) {
            out.give(Environment::default())
        }

        fn SessionOptionsSetLoadCancellationFlag(options: *mut OrtSessionOptions, canceled: bool) {
            locked(&options.here()?.0).canceled = canceled;
            Ok(())
        }
    }

    #[allow(non_snake_case)]
    unsafe extern "system" fn GetRunConfigEntry(
        options: *const OrtRunOptions,
        key: *const c_char,
    ) -> *const c_char {
        let mut found = std::ptr::null();
        let status = crate::entry::answer("GetRunConfigEntry", || {
            use crate::entry::Argument;
            // SAFETY: callers of the C interface promise what `Argument::seen` asks for.
            let (options, key) = unsafe { (options.seen(), key.seen()) };
            found = options.here()?.entry(key.text()?);
            Ok(())
        });
        if !status.0.is_null() {
            // SAFETY: the status was made here, and nobody else has it.
            drop(unsafe { stub::Error::consume_sys(status.0) });
        }
        found
    }

    /// Puts the functions that return no status into the table.
    pub(crate) fn serve_others(api: &mut OrtApi) {
        api.GetRunConfigEntry = GetRunConfigEntry;
    }
}
