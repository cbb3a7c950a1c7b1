//! The functions that each library exports, as in CANN.
//!
//! Every library must export what CANN's library of that name exports: only then does a program link with these
//! libraries exactly when it links with CANN's. CANN 8.5 and later have the runtime as `libacl_rt.so`, and the
//! operators by the project that they come from; the libraries with older names, `libascendcl.so` and `libopapi.so`,
//! have all functions of the runtime and all operators.

use super::core::Entry;
use std::collections::HashMap;

/// A library, the libraries that it needs, and its exports.
pub(super) struct Library {
    pub(super) name: &'static str,
    pub(super) needs: &'static [&'static str],
    pub(super) exports: Vec<String>,
}

/// The libraries and those that they need, which come before them. Where nothing is known of CANN's libraries, this
/// list makes a choice: nearly every library needs the runtime, and the runtime needs the library below its interface.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("libruntime.so", &[]),
    ("libacl_rt.so", &["libruntime.so"]),
    ("libascendcl.so", &["libacl_rt.so"]),
    ("libacl_op_compiler.so", &["libacl_rt.so"]),
    ("libacl_op_executor.so", &["libacl_rt.so"]),
    ("libacl_mdl.so", &["libacl_rt.so"]),
    ("libacl_tdt_channel.so", &["libacl_rt.so"]),
    ("libascend_dump.so", &["libacl_rt.so"]),
    ("libmsprofiler.so", &["libacl_rt.so"]),
    ("libnnopbase.so", &["libacl_rt.so"]),
    ("libopapi.so", &["libnnopbase.so"]),
    ("libopapi_math.so", &["libnnopbase.so"]),
    ("libopapi_nn.so", &["libnnopbase.so"]),
    ("libopapi_cv.so", &["libnnopbase.so"]),
    ("libopapi_transformer.so", &["libnnopbase.so"]),
    ("libopapi_legacy.so", &["libnnopbase.so"]),
    ("libhccl.so", &["libacl_rt.so"]),
    ("libhcomm.so", &["libhccl.so"]),
    // Programs need these libraries to exist; none of their functions is emulated.
    ("libge_runner.so", &[]),
    ("libgraph.so", &[]),
    // The profiler of PyTorch's plugin looks two functions up here, and takes the clock of the host without them.
    ("libascend_hal.so", &[]),
];

/// Programs look the older functions of the profiler up in the library of the older name.
const PROFILER: &[&str] = &["libascendcl.so", "libmsprofiler.so"];

/// The functions of the runtime by the start of their names, and the libraries that export them; the first matching row
/// counts.
const RUNTIME: &[(&str, &[&str])] = &[
    ("aclopCompile", &["libacl_op_compiler.so"]),
    ("aclSetCompileopt", &["libacl_op_compiler.so"]),
    ("aclGetCompileopt", &["libacl_op_compiler.so"]),
    ("aclGenGraphAndDumpForOp", &["libacl_op_compiler.so"]),
    ("aclCreateGraphDumpOpt", &["libacl_op_compiler.so"]),
    ("aclDestroyGraphDumpOpt", &["libacl_op_compiler.so"]),
    ("aclopStartDumpArgs", &["libascend_dump.so"]),
    ("aclopStopDumpArgs", &["libascend_dump.so"]),
    ("acldump", &["libascend_dump.so"]),
    ("aclop", &["libacl_op_executor.so", "libascendcl.so"]),
    ("aclprofInit", PROFILER),
    ("aclprofStart", PROFILER),
    ("aclprofStop", PROFILER),
    ("aclprofFinalize", PROFILER),
    ("aclprofCreateConfig", PROFILER),
    ("aclprofDestroyConfig", PROFILER),
    ("aclprofCreateStepInfo", PROFILER),
    ("aclprofGetStepTimestamp", PROFILER),
    ("aclprofDestroyStepInfo", PROFILER),
    ("aclprof", &["libmsprofiler.so"]),
    ("acltdt", &["libacl_tdt_channel.so"]),
    // Captured graphs and dumps belong to the runtime, models do not.
    ("aclmdlRI", &["libacl_rt.so", "libascendcl.so"]),
    ("aclmdlInitDump", &["libacl_rt.so", "libascendcl.so"]),
    ("aclmdlSetDump", &["libacl_rt.so", "libascendcl.so"]),
    ("aclmdlFinalizeDump", &["libacl_rt.so", "libascendcl.so"]),
    ("aclmdl", &["libacl_mdl.so", "libascendcl.so"]),
    ("aclCreateTensorDesc", &["libascendcl.so"]),
    ("aclDestroyTensorDesc", &["libascendcl.so"]),
    ("aclGetTensorDesc", &["libascendcl.so"]),
    ("aclSetTensor", &["libascendcl.so"]),
    // A library of the older name is known to lack these functions.
    ("aclsysGetVersion", &["libacl_rt.so"]),
    ("HcclGroup", &["libhcomm.so"]),
    ("Hccl", &["libhccl.so"]),
    ("Hcomm", &["libhcomm.so"]),
    // Functions below CANN's interface.
    ("rt", &["libruntime.so"]),
    ("Msprof", &["libruntime.so"]),
    ("", &["libacl_rt.so", "libascendcl.so"]),
];

/// Returns every library with its exports of `entries`.
pub(super) fn of(entries: &[Entry]) -> Vec<Library> {
    let projects = projects();
    let mut exports: HashMap<&str, Vec<String>> = HashMap::new();
    for Entry { room, name } in entries {
        let libraries: &[&str] = match room.as_str() {
            "runtime" => {
                let row = RUNTIME.iter().find(|(start, _)| name.starts_with(start));
                row.map_or(&[], |(_, libraries)| libraries)
            }
            "meta" => &["libnnopbase.so"],
            _ => &["libopapi.so", operators(&projects, name)],
        };
        for library in libraries {
            exports.entry(library).or_default().push(name.clone());
        }
    }
    let libraries = LIBRARIES.iter();
    libraries
        .map(|&(name, needs)| Library { name, needs, exports: exports.remove(name).unwrap_or_default() })
        .collect()
}

/// Returns the library of the project that a function of an operator comes from.
fn operators(projects: &HashMap<&str, &str>, function: &str) -> &'static str {
    let operator = function.strip_prefix("aclnn").unwrap_or(function);
    let operator = operator.strip_suffix("GetWorkspaceSize").unwrap_or(operator);
    match projects.get(operator).copied() {
        Some("math") => "libopapi_math.so",
        Some("nn") => "libopapi_nn.so",
        Some("cv") => "libopapi_cv.so",
        Some("transformer") => "libopapi_transformer.so",
        _ => "libopapi_legacy.so",
    }
}

/// Returns operators and the projects that they come from, experimental ones included, from the table of all operators.
fn projects() -> HashMap<&'static str, &'static str> {
    let rows = include_str!("../../../sys/operators.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let (operator, rest) = line.split_once('\t')?;
        Some((operator, rest.split(['\t', ' ']).next()?))
    })
    .collect()
}
