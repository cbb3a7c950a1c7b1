//! The profiler: its calls follow each other as on a device, and nothing is recorded. No folder of results appears, so that
//! tools of a framework show what the framework itself recorded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use aclnn_sys::{
    ACL_ERROR_PROF_ALREADY_RUN, ACL_ERROR_PROF_NOT_RUN, ACL_ERROR_REPEAT_INITIALIZE, aclprofAicoreEvents,
    aclprofAicoreMetrics, aclprofConfig, aclprofStepInfo, aclprofStepTag, aclrtStream,
};

use crate::entry::{Address, Array, Handle, Out, Text, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::product::devices;
use crate::runtime::{code, stream};
use crate::status::{Result, Status};

/// What a program began, and the objects that it made.
struct Profiler {
    is_begun: bool,
    runs: bool,
    /// In the order of their numbers.
    objects: Vec<usize>,
    made: usize,
}

static PROFILER: Mutex<Profiler> =
    Mutex::new(Profiler { is_begun: false, runs: false, objects: Vec::new(), made: 0 });

fn profiler() -> MutexGuard<'static, Profiler> {
    PROFILER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Profiler {
    /// Makes an object, which is nothing but its number.
    fn make(&mut self) -> usize {
        self.made += 1;
        let object = self.made << 4;
        self.objects.push(object);
        object
    }

    /// The place of an object.
    fn find(&self, object: usize) -> Option<usize> {
        self.objects.binary_search(&object).ok()
    }

    fn destroy(&mut self, object: usize) {
        if let Some(index) = self.find(object) {
            self.objects.remove(index);
        }
    }

    fn must_be_begun(&self) -> Result {
        match self.is_begun {
            true => Ok(()),
            false => Err(Status::new(ACL_ERROR_PROF_NOT_RUN, "aclprofInit was not called")),
        }
    }

    fn must_know(&self, name: &str, object: usize) -> Result {
        match object {
            0 => Err(Status::new(code::INVALID_PARAM, format_args!("{name} is null"))),
            object if self.find(object).is_some() => Ok(()),
            _ => Err(Status::new(code::INVALID_PARAM, format_args!("{name} is no object of the profiler"))),
        }
    }

    /// Starts or stops the profiler.
    fn run(&mut self, config: usize, runs: bool) -> Result {
        self.must_be_begun()?;
        self.must_know("profilerConfig", config)?;
        if runs && self.runs {
            return Err(Status::new(ACL_ERROR_PROF_ALREADY_RUN, "the profiler runs already"));
        }
        self.runs = runs;
        Ok(())
    }
}

/// Returns whether the numbers name devices, each once.
fn are_devices(numbers: &Array<u32>, count: u32) -> bool {
    let all = match count {
        0 => Some(Vec::new()),
        count => numbers.read(count.into()),
    };
    all.is_some_and(|all| {
        let known = devices::count();
        count <= known && all.iter().all(|device| *device < known) && devices::are_distinct(&all)
    })
}

plain_parameters! { aclprofAicoreMetrics, aclprofStepTag }

entry_points! { SYMBOLS:
    [stored] fn aclprofInit(path: Text, length: usize) -> i32 {
        let Some(path) = path.read() else {
            return Err(Status::new(code::INVALID_PARAM, "profilerResultPath is null"));
        };
        if path.len() != length {
            let message = format!("length is {length}, but profilerResultPath has {} bytes", path.len());
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        let mut profiler = profiler();
        if profiler.is_begun {
            return Err(Status::new(ACL_ERROR_REPEAT_INITIALIZE, "aclprofInit was called before"));
        }
        profiler.is_begun = true;
        Ok(())
    }

    [stored] fn aclprofStart(config: Handle<*const aclprofConfig>) -> i32 {
        profiler().run(config.0, true)
    }

    [stored] fn aclprofStop(config: Handle<*const aclprofConfig>) -> i32 {
        profiler().run(config.0, false)
    }

    [stored] fn aclprofFinalize() -> i32 {
        let mut profiler = profiler();
        profiler.must_be_begun()?;
        (profiler.is_begun, profiler.runs) = (false, false);
        Ok(())
    }

    [stored] fn aclprofCreateConfig(
        devices: Out<u32>,
        count: u32,
        metrics: aclprofAicoreMetrics,
        events: Address<*const aclprofAicoreEvents>,
        kinds: u64,
    ) -> *mut aclprofConfig {
        let _ = (metrics, kinds);
        if events.0 != 0 || !are_devices(&devices.into_array(), count) {
            let message = "aicoreEvents must be null, and deviceIdList name devices, each once";
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        Ok(to_pointer(profiler().make()))
    }

    [stored] fn aclprofDestroyConfig(config: Handle<*const aclprofConfig>) -> i32 {
        let mut profiler = profiler();
        profiler.must_know("profilerConfig", config.0)?;
        profiler.destroy(config.0);
        Ok(())
    }

    [stored] fn aclprofCreateStepInfo() -> *mut aclprofStepInfo {
        Ok(to_pointer(profiler().make()))
    }

    [stored] fn aclprofDestroyStepInfo(step: Handle<*mut aclprofStepInfo>) -> () {
        profiler().destroy(step.0);
    }

    [stored] fn aclprofGetStepTimestamp(
        step: Handle<*mut aclprofStepInfo>,
        tag: aclprofStepTag,
        stream: Handle<aclrtStream>,
    ) -> i32 {
        let _ = tag;
        profiler().must_know("stepInfo", step.0)?;
        stream::resolve(stream.0).map(drop)
    }

    [stored] fn aclprofMarkEx(message: Text, length: usize, stream: Handle<aclrtStream>) -> i32 {
        let _ = length;
        let null = || Status::new(code::INVALID_PARAM, "msg is null");
        message.read().ok_or_else(null)?;
        stream::resolve(stream.0).map(drop)
    }
}
