//! Cases of operators, as `xtask/golden/cases.py` writes them: read, called through the C interface, and compared.
//! `place` holds their tensors, `retyped` makes cases with outputs of other types.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_void};
use std::io::Read;
use std::path::Path;
use std::ptr;

use aclnn_numerics::DType;
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::*;

use super::golden::{Reader, same, show};
use super::random::Random;
use super::*;

mod place;
pub(crate) mod retyped;

use place::Place;

/// A byte that no result leaves in a gap by accident.
const UNTOUCHED: u8 = 0xA5;

/// A call of an operator.
pub(crate) struct Case {
    pub(crate) operator: String,
    pub(crate) product: String,
    pub(crate) code: i32,
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Clone)]
pub(crate) enum Argument {
    Tensor(Elements),
    /// Elements with axes of one element, which are repeated up to these sizes by strides of 0.
    Spread(Elements, Vec<i64>),
    /// The same tensor as an argument before, by its number.
    Same(usize),
    Out {
        expected: Elements,
        ulps: f32,
    },
    InOut {
        before: Elements,
        expected: Elements,
        ulps: f32,
    },
    /// An output that is made large enough for any result; its sizes are set when it is computed.
    Sized {
        made: Vec<i64>,
        expected: Elements,
    },
    /// A list of tensors.
    Tensors(Vec<Argument>),
    Scalar(DType, Vec<u8>),
    Scalars(Vec<Argument>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Bools(Vec<u8>),
    DType(DType),
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(CString),
    Null,
}

/// The elements of a tensor, one after the other.
#[derive(Clone)]
pub(crate) struct Elements {
    pub(crate) dtype: DType,
    pub(crate) dims: Vec<i64>,
    /// The storage format; that of so many axes, unless the case names another one.
    pub(crate) format: aclFormat,
    pub(crate) bytes: Vec<u8>,
}

/// How the tensors of a case lie in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Layout {
    /// One element after the other.
    Contiguous,
    /// From the third element of the storage on, two elements apart, the axes in reverse order in memory.
    Gaps,
    /// Axes in some order, some of them backwards, with gaps, from some element on.
    Scattered(u64),
}

/// Reads the cases of a file.
pub(crate) fn read_cases(compressed: &[u8]) -> Vec<Case> {
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(compressed).read_to_end(&mut bytes).expect("a file of cases");
    let mut file = Reader(&bytes);
    let mut cases = Vec::new();
    while !file.is_empty() {
        cases.push(Case::read(&mut file));
    }
    cases
}

/// The calls of every file of cases that the default product takes.
pub(crate) fn golden_cases() -> impl Iterator<Item = Case> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|is| is == "cases")).collect();
    files.sort();
    let cases = files.into_iter().flat_map(|file| read_cases(&std::fs::read(file).unwrap()));
    cases.filter(|case| case.code == 0 && case.product == "Ascend910B")
}

fn number<const N: usize>(file: &mut Reader<'_>) -> [u8; N] {
    file.bytes(N).try_into().expect("so many bytes")
}

fn text(file: &mut Reader<'_>) -> String {
    let len = file.byte().into();
    String::from_utf8(file.bytes(len).to_vec()).expect("a name")
}

fn ints(file: &mut Reader<'_>) -> Vec<i64> {
    (0..file.byte()).map(|_| i64::from_le_bytes(number(file))).collect()
}

/// Checks the cases of one product, each in every layout.
pub(crate) fn check_all(cases: &[Case], product: &str) {
    let layouts = [Layout::Contiguous, Layout::Gaps];
    let cases = cases.iter().filter(|case| case.product == product);
    let calls = cases.flat_map(|case| layouts.map(|layout| (case, layout)));
    let failed: Vec<_> = calls
        .filter(|(case, layout)| case.is_possible(*layout))
        .filter_map(|(case, layout)| case.check(layout).err())
        .collect();
    let some: Vec<_> = failed.iter().take(40).map(String::as_str).collect();
    assert!(failed.is_empty(), "{} cases fail, among them:\n{}", failed.len(), some.join("\n"));
}

/// Returns the operators of a product that take an output which is larger than the result, by a few cases of each.
pub(crate) fn taking_larger_outputs(file: &[u8], product: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut taking = BTreeSet::new();
    for case in read_cases(file) {
        let count = counts.entry(case.operator.clone()).or_default();
        if case.product == product && case.code == 0 && *count < 8 {
            *count += 1;
            if case.with_larger_outputs().any(|larger| larger.is_taken()) {
                taking.insert(case.operator);
            }
        }
    }
    taking
}

impl Case {
    fn read(file: &mut Reader<'_>) -> Self {
        let (operator, product) = (text(file), text(file));
        let code = i32::from_le_bytes(number(file));
        let arguments = (0..file.byte()).map(|_| Argument::read(file)).collect();
        Case { operator, product, code, arguments }
    }

    /// Whether the product writes the results through a view of this layout: before the 950 not unsigned integers of more
    /// than a byte.
    pub(crate) fn is_possible(&self, layout: Layout) -> bool {
        let may_have_gaps = || {
            !CONTIGUOUS_ALONE.contains(&&*self.operator) && self.arguments.iter().all(Argument::may_have_gaps)
        };
        layout == Layout::Contiguous || may_have_gaps()
    }

    /// Calls the operator with tensors of a layout, and compares code and results.
    pub(crate) fn check(&self, layout: Layout) -> Result<(), String> {
        let mut places: Vec<Place<'_>> = Vec::new();
        let passed = self.pass(layout, &mut places);
        let called = call(&self.operator, &passed);
        let compared = if called.code == self.code {
            places.iter().try_for_each(|place| place.check(self.code != 0))
        } else {
            Err(format!("the code is {}, not {}: {}", called.code, self.code, called.message))
        };
        passed.into_iter().for_each(destroy);
        compared.map_err(|why| format!("{}, {layout:?}: {why}", self.describe()))
    }

    fn pass<'a>(&'a self, layout: Layout, places: &mut Vec<Place<'a>>) -> Vec<Passed> {
        let mut passed: Vec<Passed> = Vec::new();
        for (number, argument) in self.arguments.iter().enumerate() {
            let layout = match layout {
                Layout::Scattered(seed) => Layout::Scattered(seed + number as u64),
                other => other,
            };
            passed.push(match argument {
                Argument::Same(other) => passed[*other],
                other => other.pass(layout, places),
            });
        }
        passed
    }

    /// Returns the same call with an element more on the last axis of each of its outputs, one output at a time.
    fn with_larger_outputs(&self) -> impl Iterator<Item = Case> {
        (0..self.arguments.len()).filter_map(|number| {
            let Argument::Out { expected, .. } = &self.arguments[number] else { return None };
            let mut dims = expected.dims.clone();
            match dims.last_mut() {
                Some(last) => *last += 1,
                None => dims.push(2),
            }
            let larger = Elements { format: aclFormat::of_rank(dims.len()), dims, ..expected.clone() };
            let mut arguments = self.arguments.clone();
            arguments[number] = Argument::Tensor(larger.untouched());
            Some(Case { operator: self.operator.clone(), product: self.product.clone(), code: 0, arguments })
        })
    }

    /// Plans the call, and returns whether the operator takes it. Nothing is launched.
    fn is_taken(&self) -> bool {
        self.planned_code() == 0
    }

    /// Plans the call, and returns the code of phase one. Nothing is launched.
    fn planned_code(&self) -> i32 {
        let mut places = Vec::new();
        let passed = self.pass(Layout::Contiguous, &mut places);
        let code = planned_code(&self.operator, &passed);
        passed.into_iter().for_each(destroy);
        code
    }

    fn describe(&self) -> String {
        let operands: Vec<String> = self.arguments.iter().map(Argument::describe).collect();
        format!("{}({}) on {}", self.operator, operands.join(", "), self.product)
    }
}

/// Operators that take contiguous tensors alone, also of plain formats.
const CONTIGUOUS_ALONE: [&str; 1] = ["ConvertWeightToINT4Pack"];

/// Storage formats whose elements lie without gaps.
const PRIVATE: [aclFormat; 5] = [aclFormat(3), aclFormat(4), aclFormat(29), aclFormat(32), aclFormat(33)];

impl Argument {
    fn may_have_gaps(&self) -> bool {
        match self {
            Argument::Out { expected, .. } | Argument::InOut { expected, .. } => {
                let is_private = PRIVATE.contains(&expected.format);
                !is_private && !matches!(expected.dtype, DType::U16 | DType::U32 | DType::U64)
            }
            Argument::Tensor(elements) => !PRIVATE.contains(&elements.format),
            Argument::Sized { .. } => false,
            Argument::Tensors(list) => list.iter().all(Argument::may_have_gaps),
            _ => true,
        }
    }

    /// Makes an argument that is no tensor.
    pub(crate) fn pass_alone(&self) -> Passed {
        self.pass(Layout::Contiguous, &mut Vec::new())
    }

    fn pass<'a>(&'a self, layout: Layout, places: &mut Vec<Place<'a>>) -> Passed {
        let place = match self {
            Argument::Tensor(elements) => Place::new(elements, layout),
            Argument::Spread(elements, dims) => Place::spread(elements, dims, layout),
            Argument::Out { expected, ulps } => {
                Place::new(&expected.untouched(), layout).expecting(expected, *ulps)
            }
            Argument::InOut { before, expected, ulps } => {
                Place::new(before, layout).expecting(expected, *ulps)
            }
            Argument::Sized { made, expected } => {
                let place = Elements::of_dims(expected.dtype, made);
                Place::new(&place.untouched(), layout).expecting_to_be_sized(expected)
            }
            Argument::Tensors(list) => {
                let tensors: Vec<*const aclTensor> = list
                    .iter()
                    .map(|argument| match argument.pass(layout, places) {
                        Passed::Tensor(tensor) => {
                            places.last_mut().expect("just made").is_in_list = true;
                            tensor.cast_const()
                        }
                        _ => ptr::null(),
                    })
                    .collect();
                // SAFETY: the tensors have the length that is passed.
                let list =
                    unsafe { EMULATOR.meta.aclCreateTensorList(tensors.as_ptr(), tensors.len() as u64) };
                return Passed::Tensors(list.expect("declared"));
            }
            Argument::Scalar(dtype, bytes) => {
                let code = aclDataType(dtype.acl_code().expect("a type of CANN"));
                // SAFETY: the value has the size of its type.
                let scalar = unsafe { EMULATOR.meta.aclCreateScalar(bytes.as_ptr().cast_mut().cast(), code) };
                return Passed::Scalar(scalar.expect("declared"));
            }
            Argument::Scalars(list) => {
                let scalars: Vec<*const aclScalar> = list
                    .iter()
                    .map(|argument| match argument.pass(layout, places) {
                        Passed::Scalar(scalar) => scalar.cast_const(),
                        _ => ptr::null(),
                    })
                    .collect();
                // SAFETY: the scalars have the length that is passed.
                let list =
                    unsafe { EMULATOR.meta.aclCreateScalarList(scalars.as_ptr(), scalars.len() as u64) };
                return Passed::Scalars(list.expect("declared"));
            }
            Argument::Ints(values) => {
                // SAFETY: the values have the length that is passed.
                let array = unsafe { EMULATOR.meta.aclCreateIntArray(values.as_ptr(), values.len() as u64) };
                return Passed::Ints(array.expect("declared"));
            }
            Argument::Floats(values) => {
                // SAFETY: the values have the length that is passed.
                let array =
                    unsafe { EMULATOR.meta.aclCreateFloatArray(values.as_ptr(), values.len() as u64) };
                return Passed::Floats(array.expect("declared"));
            }
            Argument::Bools(values) => {
                let values: Vec<bool> = values.iter().map(|value| *value != 0).collect();
                // SAFETY: the values have the length that is passed.
                let array = unsafe { EMULATOR.meta.aclCreateBoolArray(values.as_ptr(), values.len() as u64) };
                return Passed::Bools(array.expect("declared"));
            }
            Argument::DType(dtype) => {
                return Passed::DType(aclDataType(dtype.acl_code().expect("a type of CANN")));
            }
            Argument::Int(value) => return Passed::Int(*value),
            Argument::Float(value) => return Passed::Float(*value),
            Argument::Bool(value) => return Passed::Bool(*value),
            // The emulator only reads it.
            Argument::Text(text) => return Passed::Text(text.as_ptr().cast_mut()),
            Argument::Null | Argument::Same(_) => return Passed::Null,
        };
        let tensor = place.tensor;
        places.push(place);
        Passed::Tensor(tensor)
    }

    fn describe(&self) -> String {
        let list = |list: &[Argument]| {
            let all: Vec<String> = list.iter().map(Argument::describe).collect();
            format!("[{}]", all.join(", "))
        };
        match self {
            Argument::Tensor(elements) => format!("{}{:?}", elements.dtype, elements.dims),
            Argument::Spread(elements, dims) => format!("{}{:?} as {dims:?}", elements.dtype, elements.dims),
            Argument::Same(number) => format!("argument {number} again"),
            Argument::Out { expected, .. } => format!("→ {}{:?}", expected.dtype, expected.dims),
            Argument::InOut { before, .. } => format!("in place {}{:?}", before.dtype, before.dims),
            Argument::Sized { made, expected } => {
                format!("→ {}{:?} of {made:?}", expected.dtype, expected.dims)
            }
            Argument::Tensors(tensors) => list(tensors),
            Argument::Scalar(dtype, bytes) => format!("{} {dtype}", show(*dtype, bytes)),
            Argument::Scalars(scalars) => list(scalars),
            Argument::Ints(values) => format!("{values:?}"),
            Argument::Floats(values) => format!("{values:?}"),
            Argument::Bools(values) => format!("{values:?}"),
            Argument::DType(dtype) => dtype.to_string(),
            Argument::Int(value) => value.to_string(),
            Argument::Float(value) => value.to_string(),
            Argument::Bool(value) => value.to_string(),
            Argument::Text(text) => format!("{text:?}"),
            Argument::Null => "null".to_owned(),
        }
    }

    pub(crate) fn read(file: &mut Reader<'_>) -> Self {
        let kind = file.byte();
        match kind {
            b'T' => Argument::Tensor(Elements::described(file).filled(file)),
            b'O' => {
                let head = Elements::described(file);
                let ulps = f32::from_le_bytes(number(file));
                Argument::Out { expected: head.filled(file), ulps }
            }
            b'R' => {
                let head = Elements::described(file);
                let ulps = f32::from_le_bytes(number(file));
                let after = Elements::of_dims(head.dtype, &head.dims);
                Argument::InOut { before: head.filled(file), expected: after.filled(file), ulps }
            }
            b'S' => {
                let dtype = file.dtype();
                Argument::Scalar(dtype, file.elements(dtype, 1).to_vec())
            }
            b'V' => {
                let made = ints(file);
                Argument::Sized { made, expected: Elements::described(file).filled(file) }
            }
            b'M' => Argument::Tensors((0..file.byte()).map(|_| Argument::read(file)).collect()),
            b'C' => Argument::Scalars((0..file.byte()).map(|_| Argument::read(file)).collect()),
            b'G' => Argument::Floats((0..file.byte()).map(|_| f32::from_le_bytes(number(file))).collect()),
            b'H' => Argument::Bools((0..file.byte()).map(|_| file.byte()).collect()),
            b'L' => Argument::Ints(ints(file)),
            b'D' => Argument::DType(file.dtype()),
            b'I' => Argument::Int(i64::from_le_bytes(number(file))),
            b'F' => Argument::Float(f64::from_le_bytes(number(file))),
            b'B' => Argument::Bool(file.byte() != 0),
            b'X' => Argument::Text(CString::new(text(file)).expect("no zero byte")),
            b'N' => Argument::Null,
            b'Y' => {
                let format = aclFormat(i32::from_le_bytes(number(file)));
                let mut argument = Argument::read(file);
                match &mut argument {
                    Argument::Tensor(elements)
                    | Argument::Out { expected: elements, .. }
                    | Argument::InOut { before: elements, .. } => elements.format = format,
                    _ => panic!("no format for {}", argument.describe()),
                }
                argument
            }
            other => panic!("no argument begins with {other}"),
        }
    }
}

impl Elements {
    pub(crate) fn described(file: &mut Reader<'_>) -> Self {
        let dtype = file.dtype();
        Elements::of_dims(dtype, &ints(file))
    }

    pub(crate) fn filled(self, file: &mut Reader<'_>) -> Self {
        let bytes = file.elements(self.dtype, self.count()).to_vec();
        Elements { bytes, ..self }
    }

    pub(crate) fn of_dims(dtype: DType, dims: &[i64]) -> Self {
        let format = aclFormat::of_rank(dims.len());
        Elements { dtype, dims: dims.to_vec(), format, bytes: Vec::new() }
    }

    fn untouched(&self) -> Self {
        let bytes = vec![UNTOUCHED; self.count() * self.size()];
        Elements { dtype: self.dtype, dims: self.dims.clone(), format: self.format, bytes }
    }

    fn size(&self) -> usize {
        self.dtype.bits().div_ceil(8).max(1)
    }

    fn count(&self) -> usize {
        self.dims.iter().product::<i64>() as usize
    }
}

/// Destroys what was made to pass an argument; places destroy tensors.
pub(crate) fn destroy(passed: Passed) {
    // SAFETY: the object is live and not used again.
    unsafe {
        match passed {
            Passed::Scalar(scalar) => drop(EMULATOR.meta.aclDestroyScalar(scalar)),
            Passed::Tensors(list) => drop(EMULATOR.meta.aclDestroyTensorList(list)),
            Passed::Scalars(list) => drop(EMULATOR.meta.aclDestroyScalarList(list)),
            Passed::Ints(array) => drop(EMULATOR.meta.aclDestroyIntArray(array)),
            Passed::Floats(array) => drop(EMULATOR.meta.aclDestroyFloatArray(array)),
            Passed::Bools(array) => drop(EMULATOR.meta.aclDestroyBoolArray(array)),
            _ => {}
        }
    }
}

/// What phase one answered; when that was success, the results are there.
pub(crate) struct Called {
    pub(crate) code: i32,
    pub(crate) message: String,
}

fn operator(name: &str) -> operators::ByName {
    EMULATOR.operators.by_name(name).expect("a declared operator").expect("the emulator has it")
}

pub(crate) fn planned(name: &str, arguments: &[Passed]) -> Planned {
    // SAFETY: the handles are the emulator's; the places are valid.
    plan(|size, executor| unsafe {
        let planned = operator(name).get_workspace_size(arguments, size, executor);
        planned.expect("arguments of the kinds of its parameters")
    })
}

/// Returns the code of phase one, and gives back what it made.
fn planned_code(name: &str, arguments: &[Passed]) -> i32 {
    let planned = planned(name, arguments);
    // Where phase one does all the work, it makes none.
    if planned.code == 0 && !planned.executor.is_null() {
        // SAFETY: the executor is live, and is not launched.
        ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) });
    }
    planned.code
}

/// Calls an operator, and waits for its results.
pub(crate) fn call(name: &str, arguments: &[Passed]) -> Called {
    let planned = planned(name, arguments);
    let launch = operator(name).launcher();
    // SAFETY: of this operator.
    launched(planned, |memory, size, executor| unsafe { launch(memory, size, executor, ptr::null_mut()) })
}

fn launched(planned: Planned, launch: impl FnOnce(*mut c_void, u64, *mut aclOpExecutor) -> i32) -> Called {
    if planned.code == 0 {
        // Some operators that have nothing to do do not say how much they need.
        let needed = if planned.workspace == u64::MAX { 0 } else { planned.workspace };
        let memory = if needed > 0 { malloc(needed as usize) } else { ptr::null_mut() };
        assert_eq!(launch(memory, needed, planned.executor), 0, "{}", message());
        // SAFETY: null is the default stream.
        ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        if !memory.is_null() {
            // SAFETY: nothing uses the memory any more.
            ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
        }
    }
    Called { code: planned.code, message: planned.message }
}
