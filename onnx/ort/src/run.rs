//! Runs: by names, with bound values, and beside the caller.

use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_onnx::Value;
use ort_sys::*;

use crate::entry::{Answer, Object, Refusal, entries, give, panicked, releases};
use crate::memory::Allocator;
use crate::options::RunOptions;
use crate::session::Session;
use crate::value::Handle;

/// An output of a run: its name, and the tensor that it is written to, if the caller has one.
type Wanted = (String, Option<Handle>);

/// Values that are bound to the inputs and outputs of a session.
pub(crate) struct Binding {
    session: Arc<Session>,
    bound: Mutex<Bound>,
}

#[derive(Default)]
struct Bound {
    /// Copied when they are bound.
    inputs: Vec<(String, Value)>,
    outputs: Vec<Wanted>,
    /// The outputs of the latest run.
    results: Vec<Handle>,
}

impl Object for OrtIoBinding {
    type Here = Binding;
}

impl Binding {
    fn lock(&self) -> MutexGuard<'_, Bound> {
        self.bound.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bind_output(&self, name: &str, value: Option<Handle>) -> Answer<()> {
        self.session.output(name)?;
        let mut bound = self.lock();
        bound.results.clear();
        match bound.outputs.iter_mut().find(|(own, _)| own == name) {
            Some((_, place)) => *place = value,
            None => bound.outputs.push((name.to_owned(), value)),
        }
        Ok(())
    }
}

/// Runs a model, waits for it, and returns the outputs that are wanted.
fn run(
    session: &Session,
    options: Option<&RunOptions>,
    inputs: impl IntoIterator<Item = Answer<(String, Value)>>,
    wanted: &[Wanted],
) -> Answer<Vec<Handle>> {
    options.map_or(Ok(()), RunOptions::check)?;
    let ports = wanted.iter().map(|(name, _)| session.output(name)).collect::<Answer<Vec<_>>>()?;
    let inputs: Vec<(String, Value)> = inputs.into_iter().collect::<Answer<_>>()?;
    let outputs = session.model.run(inputs)?;
    let mut results = Vec::with_capacity(wanted.len());
    for ((name, given), port) in wanted.iter().zip(ports) {
        let missing = || Refusal::argument(format!("the run has no output `{name}`"));
        let output = outputs.get(name).ok_or_else(missing)?;
        results.push(match given {
            Some(given) => {
                given.receive(name, output)?;
                given.clone()
            }
            None => Handle::output(output, &port.info),
        });
    }
    if options.is_none_or(RunOptions::waits) {
        session.model.stream().synchronize()?;
    }
    options.map_or(Ok(()), RunOptions::check)?;
    Ok(results)
}

/// The inputs of a run with their names.
fn named<'a>(
    session: &'a Session,
    names: Vec<&'a str>,
    values: Vec<&'a Handle>,
) -> impl Iterator<Item = Answer<(String, Value)>> {
    names.into_iter().zip(values).map(|(name, value)| Ok((name.to_owned(), session.input(name, value)?)))
}

/// The outputs that are wanted, with the tensors that the caller has for some.
fn wanted(names: &[&str], given: Vec<Option<&Handle>>) -> Vec<Wanted> {
    names.iter().zip(given).map(|(&name, given)| (name.to_owned(), given.cloned())).collect()
}

/// A run beside the caller, who keeps everything that the pointers lead to until it is called back.
struct Beside {
    session: Arc<Session>,
    options: *const RunOptions,
    inputs: Vec<(String, Value)>,
    wanted: Vec<Wanted>,
    places: *mut *mut OrtValue,
    call_back: unsafe extern "C" fn(*mut c_void, *mut *mut OrtValue, usize, OrtStatusPtr),
    data: *mut c_void,
}

// SAFETY: the caller keeps what the pointers lead to until it is called back, and does not touch it before.
unsafe impl Send for Beside {}

impl Beside {
    fn go(self) {
        let count = self.wanted.len();
        // SAFETY: the caller keeps the options until it is called back.
        let options = unsafe { self.options.as_ref() };
        let body = AssertUnwindSafe(|| {
            run(&self.session, options, self.inputs.iter().cloned().map(Ok), &self.wanted)
        });
        let done = catch_unwind(body).unwrap_or_else(|panic| Err(panicked(&*panic)));
        let (places, count, status) = match done {
            Ok(results) => {
                for (number, result) in results.into_iter().enumerate() {
                    // SAFETY: the caller keeps as many places as it asked for outputs.
                    unsafe {
                        let place = self.places.add(number);
                        if (*place).is_null() {
                            *place = give(result);
                        }
                    }
                }
                (self.places, count, OrtStatusPtr::default())
            }
            Err(refusal) => (std::ptr::null_mut(), 0, refusal.status("RunAsync")),
        };
        // SAFETY: the caller gave the function for this call, which is the only one.
        unsafe { (self.call_back)(self.data, places, count, status) }
    }
}

entries! {
    fn Run(
        session: *mut OrtSession,
        options: *const OrtRunOptions,
        input_names: *const *const c_char,
        inputs: *const *const OrtValue,
        input_count: usize,
        output_names: *const *const c_char,
        output_count: usize,
        outputs: *mut *mut OrtValue,
    ) {
        let session = session.here()?;
        let inputs = named(session, input_names.texts(input_count)?, inputs.objects(input_count)?);
        let wanted = wanted(&output_names.texts(output_count)?, outputs.reading().some_objects(output_count)?);
        let results = run(session, options.maybe(), inputs, &wanted)?;
        let places = outputs.reading();
        let places = places.list(output_count)?.iter().zip(results);
        let all: Vec<*mut OrtValue> =
            places.map(|(&place, result)| if place.is_null() { give(result) } else { place }).collect();
        outputs.set_all(&all)
    }

    fn RunAsync(
        session: *mut OrtSession,
        options: *const OrtRunOptions,
        input_names: *const *const c_char,
        inputs: *const *const OrtValue,
        input_count: usize,
        output_names: *const *const c_char,
        output_count: usize,
        outputs: *mut *mut OrtValue,
        call_back: RunAsyncCallbackFn,
        data: *mut c_void,
    ) {
        let session = session.here()?;
        let inputs = named(session, input_names.texts(input_count)?, inputs.objects(input_count)?);
        let beside = Beside {
            session: session.clone(),
            options: options.maybe().map_or(std::ptr::null(), |options| &raw const *options),
            inputs: inputs.collect::<Answer<_>>()?,
            wanted: wanted(&output_names.texts(output_count)?, outputs.reading().some_objects(output_count)?),
            places: outputs.raw(),
            call_back: call_back.ok_or_else(|| Refusal::argument("a run beside the caller calls it back"))?,
            data: data.raw(),
        };
        let thread = std::thread::Builder::new().name("ort-aclnn".to_owned());
        let started = thread.spawn(move || beside.go());
        started.map(drop).map_err(|error| Refusal::new(OrtErrorCode::ORT_FAIL, format!("no thread starts: {error}")))
    }

    fn CreateIoBinding(session: *mut OrtSession, out: *mut *mut OrtIoBinding) {
        out.give(Binding { session: session.here()?.clone(), bound: Mutex::default() })
    }

    fn BindInput(binding: *mut OrtIoBinding, name: *const c_char, value: *const OrtValue) {
        let (binding, name) = (binding.here()?, name.text()?);
        binding.session.check_input(name)?;
        let value = binding.session.input(name, value.here()?)?;
        let mut bound = binding.lock();
        match bound.inputs.iter_mut().find(|(own, _)| own == name) {
            Some((_, place)) => *place = value,
            None => bound.inputs.push((name.to_owned(), value)),
        }
        Ok(())
    }

    fn BindOutput(binding: *mut OrtIoBinding, name: *const c_char, value: *const OrtValue) {
        binding.here()?.bind_output(name.text()?, Some(value.here()?.clone()))
    }

    fn BindOutputToDevice(binding: *mut OrtIoBinding, name: *const c_char, info: *const OrtMemoryInfo) {
        info.here()?.check_host()?;
        binding.here()?.bind_output(name.text()?, None)
    }

    fn RunWithBinding(session: *mut OrtSession, options: *const OrtRunOptions, binding: *const OrtIoBinding) {
        let mut bound = binding.here()?.lock();
        bound.results.clear();
        let inputs = bound.inputs.iter().cloned().map(Ok);
        bound.results = run(session.here()?, options.maybe(), inputs, &bound.outputs)?;
        Ok(())
    }

    fn GetBoundOutputNames(
        binding: *const OrtIoBinding,
        allocator: *mut OrtAllocator,
        names: *mut *mut c_char,
        lengths: *mut *mut usize,
        count: *mut usize,
    ) {
        let bound = binding.here()?.lock();
        let allocator = Allocator::of(allocator.raw())?;
        let all: String = bound.outputs.iter().map(|(name, _)| name.as_str()).collect();
        let each: Vec<usize> = bound.outputs.iter().map(|(name, _)| name.len()).collect();
        count.set(each.len())?;
        if each.is_empty() {
            names.set(std::ptr::null_mut())?;
            return lengths.set(std::ptr::null_mut());
        }
        names.set(allocator.text(&all)?)?;
        lengths.set(allocator.list(&each)?)
    }

    fn GetBoundOutputValues(
        binding: *const OrtIoBinding,
        allocator: *mut OrtAllocator,
        values: *mut *mut *mut OrtValue,
        count: *mut usize,
    ) {
        let bound = binding.here()?.lock();
        let allocator = Allocator::of(allocator.raw())?;
        count.set(bound.results.len())?;
        if bound.results.is_empty() {
            return values.set(std::ptr::null_mut());
        }
        let list = allocator.list::<*mut OrtValue>(&vec![std::ptr::null_mut(); bound.results.len()])?;
        for (number, result) in bound.results.iter().enumerate() {
            // SAFETY: the list has as many places as there are results.
            unsafe { list.add(number).write(give(result.clone())) };
        }
        values.set(list)
    }
}

releases!(ReleaseIoBinding OrtIoBinding);

#[allow(non_snake_case)]
unsafe extern "system" fn ClearBoundInputs(binding: *mut OrtIoBinding) {
    // SAFETY: callers of the C interface give null or an object that `give` made.
    if let Ok(binding) = unsafe { crate::entry::Argument::seen(binding) }.here() {
        binding.lock().inputs.clear();
    }
}

#[allow(non_snake_case)]
unsafe extern "system" fn ClearBoundOutputs(binding: *mut OrtIoBinding) {
    // SAFETY: callers of the C interface give null or an object that `give` made.
    if let Ok(binding) = unsafe { crate::entry::Argument::seen(binding) }.here() {
        let mut bound = binding.lock();
        bound.outputs.clear();
        bound.results.clear();
    }
}

/// Puts the functions that return no status into the table.
pub(crate) fn serve_others(api: &mut OrtApi) {
    api.ClearBoundInputs = ClearBoundInputs;
    api.ClearBoundOutputs = ClearBoundOutputs;
}
