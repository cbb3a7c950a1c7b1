//! The beginning and the end of the emulator, and what lives in between.
//!
//! Calls before `aclInit` work: every object is made at its first use. After `aclFinalize` the runtime starts from the
//! beginning, so that tests of one process do not affect each other.

mod configuration;

use std::sync::{Mutex, MutexGuard, PoisonError};

use configuration::Configuration;

use crate::check::leaks;
use crate::check::live_objects::Live;
use crate::entry::{Out, Text, entry_points};
use crate::misuse::Leaks;
use crate::runtime::stream::{callback, context};
use crate::runtime::{code, end};
use crate::status::{Result, Status};
use crate::{collective, meta, runtime};

/// The users of the runtime.
struct Users {
    count: u64,
    /// The text of the first configuration file.
    configuration: Option<String>,
}

static USERS: Mutex<Users> = Mutex::new(Users { count: 0, configuration: None });

fn users() -> MutexGuard<'static, Users> {
    USERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns every live object and allocation of the program.
pub(crate) fn live() -> Vec<Live> {
    let mut all = Vec::new();
    runtime::live(&mut all);
    meta::live(&mut all);
    collective::live(&mut all);
    all
}

/// Ends everything that lives, and reports it. Returns the first failure of a task that was not reported yet.
fn tear_down(function: &str) -> Result {
    // What is queued may still release something.
    end::settle();
    leaks::tell_living(function, live());
    let ended = end::tear_down();
    collective::forget_all();
    ended.and(nothing_left())
}

/// Fails, where leaks are errors, when something still lived now or at an earlier reset of a device.
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
        let path = path.read();
        let configuration = path.as_deref().map(Configuration::read).transpose()?;
        let mut users = users();
        if users.count == 0 {
            if let (Some(path), Some(configuration)) = (&path, &configuration) {
                configuration.tell_without_effect(path);
                context::set_default(configuration.default_device);
            }
            *users = Users { count: 1, configuration: configuration.map(|one| one.text) };
            return Ok(());
        }
        if let Some(configuration) = configuration
            && users.configuration != Some(configuration.text)
        {
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
