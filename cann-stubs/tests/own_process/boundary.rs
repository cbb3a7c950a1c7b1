//! The border to C: null, garbage and dead handles in every position of every function end in a code, never in a crash.
//!
//! The functions and their parameters are read from the bindings and from the declarations of the operators, so a new
//! one is swept without being named here.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use aclnn_sys::operators::{self, ParameterKind};
use aclnn_sys::*;
use cann_stubs::control::{self, Leaks};

use crate::support::EMULATOR;
use crate::support::child::{self, this_test};
use crate::support::runtime::*;

/// A function as its declaration has it.
struct Function {
    name: String,
    parameters: Vec<(String, String)>,
    result: String,
}

/// The declarations of the bindings: `pub fn name(parameter: type, …) -> type;`.
fn declared() -> Vec<Function> {
    let code: String = include_str!("../../../sys/src/bindings/functions.rs")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ");
    let declarations = code.split("pub fn ").skip(1).filter(|text| {
        let text = text.split("pub fn").next().unwrap_or_default();
        // Functions of the program are called, and structs that are passed by value are no integers. A stream that waits
        // for a value would wait for ever. Arrays of arrays are left to other tests.
        let by_value = ["aclrtIpcEventHandle,", "aclmdlRICondTaskParams", "aclrtMemManagedLocation"];
        !text.contains("fn(")
            && !text.contains("[i64")
            && !by_value.iter().any(|kind| text.contains(kind))
            && !text.starts_with("aclrtValueWait")
    });
    let functions = declarations.map(|text| {
        let text = text.split(';').next().unwrap();
        let (name, rest) = text.split_once('(').unwrap();
        let (parameters, result) = rest.split_once(')').unwrap();
        let parameters = parameters.split(',').filter_map(|one| one.trim().split_once(':'));
        Function {
            name: name.trim().to_owned(),
            parameters: parameters
                .map(|(name, kind)| (name.trim().to_owned(), kind_of(name, kind)))
                .collect(),
            result: result.trim_start_matches([' ', '-', '>']).trim().to_owned(),
        }
    });
    functions.filter(|function| !function.parameters.iter().any(|(_, kind)| kind == "f32")).collect()
}

/// The type of a parameter. The value of a scalar is an address of the host, which the caller vouches for.
fn kind_of(parameter: &str, kind: &str) -> String {
    match (parameter.trim(), kind.trim()) {
        ("value" | "shareableHandle" | "data", "*mut c_void") => "*const u64".to_owned(),
        (_, kind) => kind.to_owned(),
    }
}

/// Every phase one, with the places of its results, and every phase two.
fn operators_declared() -> Vec<Function> {
    let mut functions = Vec::new();
    let parameter = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
    for info in operators::all() {
        let kind = |kind: ParameterKind| match kind.c_type().trim() {
            text if text.contains("aclTensor ") => "*const aclTensor",
            text if text.contains("aclScalar ") => "*const aclScalar",
            text if text.contains("aclDataType") => "aclDataType",
            text if text.contains("char ") => "*mut c_char",
            _ => "i64",
        };
        let mut parameters: Vec<_> =
            info.parameters.iter().map(|one| parameter(one.name, kind(one.kind))).collect();
        parameters.extend([
            parameter("workspaceSize", "*mut u64"),
            parameter("executor", "*mut *mut aclOpExecutor"),
        ]);
        let (name, result) = (format!("aclnn{}", info.name()), "aclnnStatus".to_owned());
        // Fractions are passed in other registers, so that what is called with integers would get none of its arguments.
        let is_fraction =
            |one: operators::Parameter| matches!(one.kind, ParameterKind::F32 | ParameterKind::F64);
        if !info.parameters.iter().any(is_fraction) {
            let name = format!("{name}GetWorkspaceSize");
            functions.push(Function { name, parameters, result: result.clone() });
        }
        let parameters = vec![
            parameter("workspace", "*mut c_void"),
            parameter("workspaceSize", "u64"),
            parameter("executor", "*mut aclOpExecutor"),
            parameter("stream", "aclrtStream"),
        ];
        functions.push(Function { name, parameters, result });
    }
    functions
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

/// What the sweep passes where a parameter is not the one that it looks at.
struct Good {
    stream: usize,
    event: usize,
    context: usize,
    tensor: usize,
    scalar: usize,
    device: usize,
    /// A place for any result, and an array of zeros, in which no pointer leads anywhere.
    place: Box<[u64; 512]>,
    text: [u8; 128],
}

impl Good {
    fn new() -> Self {
        let (stream, event, device) = (create_stream(), create_event(), malloc(64));
        let mut context = null_mut();
        ok!(aclrtGetCurrentContext(&mut context));
        let (dims, one) = ([2_i64], 1_f32);
        // SAFETY: the dims and the value have the lengths that are passed.
        let (tensor, scalar) = unsafe {
            (
                EMULATOR.meta.aclCreateTensor(
                    dims.as_ptr(),
                    1,
                    ACL_FLOAT,
                    null(),
                    0,
                    ACL_FORMAT_ND,
                    dims.as_ptr(),
                    1,
                    device,
                ),
                EMULATOR.meta.aclCreateScalar((&raw const one).cast_mut().cast(), ACL_FLOAT),
            )
        };
        Good {
            stream: stream.addr(),
            event: event.addr(),
            context: context.addr(),
            tensor: tensor.unwrap().addr(),
            scalar: scalar.unwrap().addr(),
            device: device.expose_provenance(),
            place: Box::new([0; 512]),
            text: [b'x'; 128],
        }
    }

    /// Something that may stand in the position.
    fn of(&mut self, kind: &str) -> usize {
        self.text[127] = 0;
        match kind {
            "aclrtStream" => self.stream,
            "aclrtEvent" => self.event,
            "aclrtContext" => self.context,
            "*const aclTensor" | "*mut aclTensor" => self.tensor,
            "*const aclScalar" => self.scalar,
            "aclrtCallback" | "aclrtHostFunc" => nothing as *const () as usize,
            "*mut c_void" | "*const c_void" => self.device,
            kind if is_handle(kind) => 0,
            kind if kind.ends_with("c_char") => self.text.as_mut_ptr().expose_provenance(),
            kind if kind.starts_with('*') => {
                self.place.fill(0);
                self.place.as_mut_ptr().expose_provenance()
            }
            _ => 1,
        }
    }
}

/// Whether the values of a type are handles, or addresses that the emulator judges.
fn is_handle(kind: &str) -> bool {
    const OBJECTS: [&str; 11] = [
        "aclTensor",
        "aclScalar",
        "aclIntArray",
        "aclFloatArray",
        "aclBoolArray",
        "aclTensorList",
        "aclScalarList",
        "aclOpExecutor",
        "aclDataBuffer",
        "c_void",
        "aclrtStream",
    ];
    let pointed = kind.strip_prefix("*mut ").or_else(|| kind.strip_prefix("*const "));
    ["aclrtStream", "aclrtEvent", "aclrtContext", "aclrtDrvMemHandle"].contains(&kind)
        || pointed.is_some_and(|object| OBJECTS[..10].contains(&object))
}

/// Expands to a call of a function with the numbers of an array.
macro_rules! call_any {
    ($function:expr, $all:expr, $($place:ident)*) => {{
        // SAFETY: every parameter is an integer or a pointer. Under the calling conventions of Linux a function that is called
        // with more of them than it has ignores the rest.
        let any = unsafe {
            std::mem::transmute::<std::ptr::NonNull<c_void>, unsafe extern "C" fn($(call_any!(@ $place)),*) -> usize>($function)
        };
        let [$($place),*] = $all;
        // SAFETY: places and texts are valid; everything else is what the test is about.
        unsafe { any($($place),*) }
    }};
    (@ $place:ident) => { usize };
}

fn call_with(function: &Function, arguments: &[usize]) -> usize {
    static SOURCE: LazyLock<SymbolList> = LazyLock::new(cann_stubs::source);
    let symbol = SOURCE.symbol(&function.name);
    let symbol = symbol.unwrap_or_else(|| panic!("{} is missing", function.name));
    let mut all = [0; 64];
    all[..arguments.len()].copy_from_slice(arguments);
    call_any!(symbol, all,
        a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7 d0 d1 d2 d3 d4 d5 d6 d7
        e0 e1 e2 e3 e4 e5 e6 e7 f0 f1 f2 f3 f4 f5 f6 f7 g0 g1 g2 g3 g4 g5 g6 g7 h0 h1 h2 h3 h4 h5 h6 h7
    )
}

/// The message of a failed call names its function before the reason, and not once more in it.
fn names_its_function_once(function: &Function) {
    let text = message();
    let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let operator = function.name.trim_end_matches("GetWorkspaceSize");
    let count = names.filter(|word| *word == function.name || *word == operator).count();
    // Work may race with another call of the same function.
    let others = text.matches(&format!("where {operator} on stream")).count();
    assert!(text.is_empty() || text.starts_with(&format!("{}: ", function.name)), "{text}");
    assert!(text.is_empty() || count == 1 + others, "{text}");
}

/// The functions that take a handle or an address, in one position or more.
fn swept() -> Vec<Function> {
    declared().into_iter().chain(operators_declared()).collect()
}

#[test]
fn garbage_in_the_position_of_a_handle_is_refused() {
    child::with(this_test!(), &[], || {
        let _device = Device::set();
        let dead = create_event();
        ok!(aclrtDestroyEvent(dead));
        let mut good = Good::new();
        let freed = malloc(64);
        free(freed);
        let buffer = call!(aclCreateDataBuffer(null_mut(), 8));
        // Not a pointer, a small number, a handle of a kind that few functions take, a dead one, memory that was freed.
        let garbage = [usize::MAX, 0xdead_beef_dead_beef, 8, buffer.addr(), dead.addr(), freed.addr()];
        // These keep an address without using it, dump nothing, or answer what an address is.
        let indifferent = |name: &str| {
            let keeps = ["aclCreate", "aclUpdate", "aclInitTensor", "aclDumpOpTensors"];
            keeps.iter().any(|start| name.starts_with(start)) || name == "aclrtReserveMemAddress"
                || name.ends_with("TensorAddr") || name == "aclrtPointerGetAttributes"
                || name.starts_with("aclrtHostRegister")
                // An argument of the program's own function.
                || name == "aclrtLaunchHostFunc" || name == "aclrtLaunchCallback"
        };
        let mut positions = 0;
        let mut wrong = BTreeSet::new();
        for function in swept() {
            for (position, (parameter, kind)) in function.parameters.iter().enumerate() {
                if !is_handle(kind) {
                    continue;
                }
                positions += 1;
                for &bad in
                    garbage.iter().filter(|&&bad| !(kind.contains("aclDataBuffer") && bad == buffer.addr()))
                {
                    let mut arguments: Vec<usize> =
                        function.parameters.iter().map(|(_, kind)| good.of(kind)).collect();
                    arguments[position] = bad;
                    let answer = call_with(&function, &arguments);
                    names_its_function_once(&function);
                    let failed = match function.result.as_str() {
                        "aclError" | "aclnnStatus" => answer as i32 != 0,
                        _ => true,
                    };
                    let address = kind.ends_with("c_void");
                    let accepted = indifferent(&function.name) && address
                        // A workspace of no bytes is not looked at.
                        || function.name.starts_with("aclnn") && parameter == "workspace"
                        // Phase one has done the work.
                        || function.name == "aclnnConvertWeightToINT4Pack"
                        // Older programs pass nothing to the second.
                        || ["aclDumpOpTensors", "aclrtUnuseStreamResInCurrentThread"].contains(&function.name.as_str());
                    if !failed && !accepted {
                        wrong.insert(format!("{}: {parameter}", function.name));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "garbage is accepted: {wrong:#?}");
        assert!(positions > 150, "only {positions} positions were found");
        ok!(aclDestroyDataBuffer(buffer));
        ok!(aclrtResetDeviceForce(0));
        ok!(aclrtSetDevice(0));
    });
}

#[test]
fn null_in_any_position_and_in_all_crashes_nothing() {
    child::with(this_test!(), &[], || {
        // What the sweep leaves behind is not the question.
        let _leaks = control::leaks_everywhere(Leaks::Off);
        for function in swept() {
            ok!(aclrtSetDevice(0));
            let mut good = Good::new();
            for position in 0..function.parameters.len() {
                let mut arguments: Vec<usize> =
                    function.parameters.iter().map(|(_, kind)| good.of(kind)).collect();
                arguments[position] = 0;
                call_with(&function, &arguments);
                names_its_function_once(&function);
            }
            call_with(&function, &vec![0; function.parameters.len()]);
            names_its_function_once(&function);
            call!(aclrtResetDeviceForce(0));
        }
    });
}

/// Sizes, offsets and counts that no memory has, in every position of a number.
#[test]
fn numbers_beyond_any_memory_end_in_a_code() {
    child::with(this_test!(), &[], || {
        // A number behind an array counts its elements, for which the caller vouches.
        let counts = |function: &Function, position: usize| {
            let before = position.checked_sub(1).map(|before| function.parameters[before].1.as_str());
            before.is_some_and(|kind| kind.starts_with('*') && !kind.ends_with("c_void"))
        };
        let extremes =
            [usize::MAX, usize::MAX - 4096, 1 << 63, (1 << 63) - 1, 1 << 61, (1 << 32) - 1, 1 << 31, 0];
        let mut positions = 0;
        for function in swept() {
            for (position, (_, kind)) in function.parameters.iter().enumerate() {
                let is_number = ["usize", "u64", "i64", "u32", "i32"].contains(&kind.as_str());
                if !is_number || counts(&function, position) {
                    continue;
                }
                positions += 1;
                for extreme in extremes {
                    ok!(aclrtSetDevice(0));
                    let mut good = Good::new();
                    let mut arguments: Vec<usize> =
                        function.parameters.iter().map(|(_, kind)| good.of(kind)).collect();
                    arguments[position] = extreme;
                    call_with(&function, &arguments);
                    let told = message();
                    assert!(!told.contains("internal error"), "{}: {extreme:#x}: {told}", function.name);
                    call!(aclrtResetDeviceForce(0));
                }
            }
        }
        assert!(positions > 100, "only {positions} positions were found");
    });
}
