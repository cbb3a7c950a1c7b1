//! The beginning and the end of the runtime.
//!
//! Calls before `aclInit` are served: everything is made at its first use. After `aclFinalize` everything begins anew,
//! so that tests of one process do not see each other.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::check::leaks::{self, Leaks};
use crate::entry::{Out, Text, entry_points};
use crate::runtime::{callback, code, context, device, drain, event, memory, options, resources, stream};
use crate::status::{Result, Status};

/// Who uses the runtime.
struct Users {
    count: u64,
    /// What the first configuration file said.
    configuration: Option<String>,
}

static USERS: Mutex<Users> = Mutex::new(Users { count: 0, configuration: None });

fn users() -> MutexGuard<'static, Users> {
    USERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text of a configuration file. Its settings concern logs and dumps of real devices, so none has an effect here;
/// an empty file is a configuration without settings.
fn read_configuration(path: &str) -> Result<String> {
    let text = std::fs::read_to_string(path).map_err(|why| {
        Status::new(code::INVALID_FILE, format_args!("configPath {path} cannot be read: {why}"))
    })?;
    let trimmed = text.trim();
    let is_object = trimmed.starts_with('{') && trimmed.ends_with('}');
    if !trimmed.is_empty() && !is_object {
        return Err(Status::new(code::PARSE_FILE, format_args!("configPath {path} is not a JSON object")));
    }
    Ok(text)
}

/// Ends everything that lives, and tells it; gives the first failure of a task that nobody was told of.
fn tear_down(function: &str) -> Result {
    // What is queued may still release something.
    for (_, stream) in stream::all() {
        drain::settle(&stream);
    }
    leaks::tell(function, crate::live());
    let told = &mut Vec::new();
    let mut outcome = context::destroy_made(told);
    for device in device::all() {
        if device.is_set() {
            outcome = outcome.and(device.reset(true, told));
        }
        device.release_if_unused(told);
    }
    event::forget_all();
    memory::forget_pools();
    memory::forget_shared();
    memory::forget_physical();
    memory::forget_registrations();
    resources::forget_all();
    options::forget_all();
    outcome.and(nothing_left())
}

/// Fails, where leaks are errors, when something still lived here or at the reset of a device before.
fn nothing_left() -> Result {
    match leaks::take_count() {
        count if count > 0 && leaks::level() == Leaks::Error => {
            let message = format!(
                "objects that still lived at their end: {count}, as was told on standard error; the runtime has ended all \
                 the same"
            );
            Err(Status::new(code::PARAM_INVALID, message))
        }
        _ => Ok(()),
    }
}

fn ended() -> Status {
    Status::new(code::REPEAT_FINALIZE, "the runtime is not initialised, or has ended before")
}

entry_points! { SYMBOLS:
    fn aclInit(path: Text) -> i32 {
        let configuration = path.read().map(|path| read_configuration(&path)).transpose()?;
        let mut users = users();
        if users.count == 0 {
            *users = Users { count: 1, configuration };
            return Ok(());
        }
        if configuration.is_some() && configuration != users.configuration {
            let message = "the runtime is initialised with another configuration";
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        users.count += 1;
        Err(Status::new(code::REPEAT_INITIALIZE, "the runtime is initialised already, which is no failure"))
    }

    fn aclFinalize() -> i32 {
        callback::forbid("the runtime is ended")?;
        if std::mem::take(&mut users().count) == 0 {
            return Err(ended());
        }
        tear_down("aclFinalize")
    }

    fn aclFinalizeReference(left: Out<u64>) -> i32 {
        callback::forbid("the runtime is ended")?;
        let count = {
            let mut users = users();
            users.count = users.count.checked_sub(1).ok_or_else(ended)?;
            users.count
        };
        if let Some(place) = left.optional() {
            place.write(count);
        }
        if count == 0 { tear_down("aclFinalizeReference") } else { Ok(()) }
    }
}
