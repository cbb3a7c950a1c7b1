//! The names that rules for faults may use, and those that are similar to a name that does not exist.

use std::collections::HashSet;
use std::sync::LazyLock;

use aclnn_sys::operators;
use cann_kernels::ordered;

use crate::mapped::mapped;
use crate::refused;
use crate::surface::EntryPoint;

/// Functions of the runtime that queue work. The operators' second functions do as well.
const QUEUEING: [&str; 32] = [
    "HcclAllGather",
    "HcclAllGatherV",
    "HcclAllReduce",
    "HcclAlltoAll",
    "HcclAlltoAllV",
    "HcclAlltoAllVC",
    "HcclBarrier",
    "HcclBatchSendRecv",
    "HcclBroadcast",
    "HcclGroupEnd",
    "HcclRecv",
    "HcclReduce",
    "HcclReduceScatter",
    "HcclReduceScatterV",
    "HcclScatter",
    "HcclSend",
    "aclmdlRIExecuteAsync",
    "aclopCompileAndExecute",
    "aclopCompileAndExecuteV2",
    "aclrtLaunchHostFunc",
    "aclrtMemPoolFreeAsync",
    "aclrtMemcpy2dAsync",
    "aclrtMemcpyAsync",
    "aclrtMemcpyAsyncWithCondition",
    "aclrtMemcpyBatchAsync",
    "aclrtMemcpyBatchAsyncV2",
    "aclrtMemsetAsync",
    "aclrtMemsetD32Async",
    "aclrtRecordNotify",
    "aclrtReduceAsync",
    "aclrtResetEvent",
    "aclrtValueWrite",
];

/// Functions that headers declare.
const TABLES: [&[&str]; 3] =
    [aclnn_sys::Runtime::SYMBOLS, aclnn_sys::Meta::SYMBOLS, aclnn_sys::Collectives::SYMBOLS];

/// Functions that do more than refuse, and that no header declares.
const UNDECLARED: [&str; 2] = ["HcclGroupEnd", "HcclGroupStart"];

/// Every function of the emulator that does more than refuse: what the headers declare and is not refused.
pub(crate) fn functions() -> impl Iterator<Item = &'static str> {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let refusing: HashSet<_> = refusing().into_iter().collect();
        let (mut all, [runtime, meta, collectives]) = (Vec::new(), TABLES);
        for name in [runtime, meta, collectives, &UNDECLARED].concat() {
            if !refusing.contains(name) {
                all.push(name.to_owned());
            }
        }
        for operator in operators::all() {
            all.extend(operator.c_names().map(str::to_owned));
        }
        for name in operators::COMPUTED_ALONE {
            all.push(format!("aclnn{name}"));
        }
        all
    });
    ALL.iter().map(String::as_str)
}

/// Every function of the emulator that only refuses.
pub(crate) fn refusing() -> Vec<&'static str> {
    let mut all: Vec<&str> = mapped(&refused::runtime(), EntryPoint::name);
    all.extend(refused::meta().iter().map(EntryPoint::name));
    all.extend(refused::OPERATOR_FUNCTIONS);
    all
}

/// Every function of the emulator that queues work.
pub(crate) fn queueing() -> impl Iterator<Item = &'static str> {
    functions().filter(|name| queues(name))
}

/// Returns whether the function called `name` queues work when it does its own.
pub(crate) fn queues(name: &str) -> bool {
    QUEUEING.contains(&name) || name.starts_with("aclnn") && !name.ends_with("GetWorkspaceSize")
}

/// How many similar names a message gives.
const TOLD: usize = 3;

/// How similar a name must be, from 0 to 1.
const NEAR: f64 = 0.6;

/// Returns the names that are most similar to `wanted`, ignoring case; names that contain it come first, and of names that
/// are equally similar the first one by the alphabet.
pub(crate) fn nearest(wanted: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let wanted = wanted.to_ascii_lowercase();
    let likeness = |name: &str| {
        let name = name.to_ascii_lowercase();
        let part = wanted.len() > 2 && name.contains(&wanted);
        f64::from(u8::from(part)) + strsim::normalized_damerau_levenshtein(&wanted, &name)
    };
    let mut near: Vec<(f64, &str)> = names.map(|name| (likeness(name), name)).collect();
    near.retain(|(likeness, _)| *likeness >= NEAR);
    let order = ordered(near.len(), &mut |a, b| {
        near[b].0.total_cmp(&near[a].0).then_with(|| near[a].1.cmp(near[b].1))
    });
    order.into_iter().map(|place| near[place].1).take(TOLD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_queues_work_is_a_function() {
        let all: Vec<_> = functions().collect();
        for name in QUEUEING {
            assert!(all.contains(&name), "{name}");
        }
        assert!(queueing().any(|name| name == "aclnnAdd") && !queueing().any(|name| name == "aclrtMalloc"));
    }

    #[test]
    fn misspelt_names_have_neighbours() {
        assert_eq!(nearest("aclrtMaloc", functions())[0], "aclrtMalloc");
        assert_eq!(nearest("ACLRTMEMCPY", functions())[0], "aclrtMemcpy");
        assert_eq!(nearest("SynchronizeDevice", functions())[0], "aclrtSynchronizeDevice");
        assert_eq!(nearest("aclnnAdd", queueing())[0], "aclnnAdd");
        assert_eq!(nearest("cudaMalloc3D_v2000", functions()), [""; 0]);
    }

    #[test]
    fn equally_similar_names_do_not_depend_on_the_order_of_the_lists() {
        let names = ["aclrtGetDeviceInfo", "aclrtGetDevice", "aclrtGetDeviceCount"];
        let expected = ["aclrtGetDeviceCount", "aclrtGetDevice", "aclrtGetDeviceInfo"];
        assert_eq!(nearest("aclrtGetDeviceCont", names.into_iter()), expected);
        assert_eq!(nearest("aclrtGetDeviceCont", names.into_iter().rev()), expected);
    }
}
