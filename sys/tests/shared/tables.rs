//! Tables filled from a list, wholly, in part or not at all.

#![allow(clippy::unwrap_used, clippy::panic)]

use aclnn_sys::{
    ACL_SUCCESS, ACLNN_SUCCESS, Chain, Meta, Operators, Runtime, Symbol, SymbolList, SymbolSource,
    aclBoolArray, aclDataType, aclError, aclFloatArray, aclIntArray, aclOpExecutor, aclScalar, aclScalarList,
    aclTensor, aclTensorList, aclnnStatus, aclrtStream,
    operators::{self, PublishedParameter, published},
    parameter_type, pfn, since,
};
use std::{collections::BTreeMap, ffi::c_void, ptr, sync::Arc};

unsafe extern "C" fn device_count(count: *mut u32) -> aclError {
    // SAFETY: the tests pass a place to write to.
    unsafe { *count = 3 };
    ACL_SUCCESS
}

const _: pfn::aclrtGetDeviceCount = device_count;

unsafe extern "C" fn prepare_add(
    _: *const aclTensor,
    _: *const aclTensor,
    _: *const aclScalar,
    _: *mut aclTensor,
    size: *mut u64,
    _: *mut *mut aclOpExecutor,
) -> aclnnStatus {
    // SAFETY: the tests pass a place to write to.
    unsafe { *size = 32 };
    ACLNN_SUCCESS
}

unsafe extern "C" fn launch_add(
    _: *mut c_void,
    _: u64,
    _: *mut aclOpExecutor,
    _: aclrtStream,
) -> aclnnStatus {
    7
}

fn list() -> SymbolList {
    // SAFETY: the functions have the prototypes of their names.
    let symbols = unsafe {
        [
            Symbol::new("aclrtGetDeviceCount", device_count as *const ()),
            Symbol::new("aclnnAddGetWorkspaceSize", prepare_add as *const ()),
            Symbol::new("aclnnAdd", launch_add as *const ()),
            Symbol::new("aclnnMulGetWorkspaceSize", prepare_add as *const ()),
        ]
    };
    SymbolList::new("a list", symbols)
}

#[test]
fn functions_that_are_there_are_called() {
    let runtime = Runtime::load(&list());
    let mut count = 0;
    // SAFETY: `count` is valid for writing.
    assert_eq!(unsafe { runtime.aclrtGetDeviceCount(&mut count) }, Ok(ACL_SUCCESS));
    assert_eq!(count, 3);
    assert_eq!(runtime.missing().count(), Runtime::SYMBOLS.len() - 1);
}

#[test]
fn functions_that_are_not_there_say_so() {
    let runtime = Runtime::load(&list());
    // SAFETY: nothing is called.
    let missing = unsafe { runtime.aclrtMemsetD32(ptr::null_mut(), 0, 0, 0) }.unwrap_err();
    assert_eq!(
        (missing.symbol, missing.library.as_str(), missing.since),
        ("aclrtMemsetD32", "a list", Some("9.1.0"))
    );
    assert_eq!(
        missing.to_string(),
        "`aclrtMemsetD32` is not in a list; CANN 9.1.0 and later have it: install such a version"
    );
    assert_eq!(Meta::load(&list()).missing().count(), Meta::SYMBOLS.len());
}

#[test]
fn operators_need_both_functions() {
    let operators = Operators::load(&list());
    let mut size = 0;
    let add = operators.Add().unwrap();
    // SAFETY: the functions above ignore what they are passed, but for `size`.
    let (prepared, launched) = unsafe {
        let null = ptr::null_mut();
        let prepared = add.get_workspace_size(null, null, ptr::null(), null, &mut size, ptr::null_mut());
        (prepared, add.launch(ptr::null_mut(), size, ptr::null_mut(), ptr::null_mut()))
    };
    assert_eq!((prepared, size, launched), (ACLNN_SUCCESS, 32, 7));
    assert_eq!(operators.Mul().unwrap_err().symbol, "aclnnMul");
    assert_eq!(operators.Sub().unwrap_err().symbol, "aclnnSubGetWorkspaceSize");
}

#[test]
fn the_first_of_a_chain_answers() {
    // SAFETY: never called.
    let other = unsafe {
        [Symbol::new("aclnnAdd", prepare_add as *const ()), Symbol::new("aclInit", launch_add as *const ())]
    };
    let other: Arc<dyn SymbolSource> = Arc::new(SymbolList::new("another", other));
    let chain = Chain::new([Arc::new(list()) as Arc<dyn SymbolSource>, other.clone()]);
    assert_eq!(chain.symbol("aclnnAdd"), list().symbol("aclnnAdd"));
    assert_eq!(chain.symbol("aclInit"), other.symbol("aclInit"));
    assert_eq!(chain.symbol("aclFinalize"), None);
    assert_eq!(chain.describe(), "a list, another");
}

#[test]
fn sources_and_tables_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Runtime>();
    shared::<Meta>();
    shared::<Operators>();
    shared::<SymbolList>();
    shared::<Chain>();
    shared::<aclnn_sys::Toolkit>();
}

#[test]
fn operators_are_declared_once_and_wholly() {
    let mut names: Vec<&str> = operators::all().map(|operator| operator.name()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);

    let add = operators::named("InplaceAdd").unwrap();
    let parameters: Vec<String> = add
        .parameters
        .iter()
        .map(|parameter| format!("{}{}", parameter.kind.c_type(), parameter.name))
        .collect();
    assert_eq!(parameters, ["const aclTensor *self", "const aclTensor *other", "const aclScalar *alpha"]);
    assert_eq!((add.function(), add.family()), ("add", "arithmetic"));
    assert_eq!((add.rule, add.doc()), (operators::Rule::Promote, "`self + alpha · other`"));
}

/// A function as it is declared: its family, its name and its words, and each form of it with its name here and in C.
type Function = ([&'static str; 3], &'static [(&'static operators::OperatorInfo, [&'static str; 2])]);

/// The functions of a family, as the declarations have them.
macro_rules! declared {
    (
        $family:ident, $rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $($name:ident = $c:literal $parameters:tt $(since $since:literal)?;)*
            }
        )*
    ) => {
        pub(in super::super) const FUNCTIONS: &[super::super::Function] = &[$((
            [stringify!($family), stringify!($function), concat!($($doc),*)],
            &[$((&aclnn_sys::operators::$family::$name, [stringify!($name), $c])),*],
        )),*];
    };
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        mod declarations {
            $(pub(super) mod $family {
                aclnn_sys::$operators!(declared);
            })*
        }

        /// The functions of each family.
        const DECLARED: &[&[Function]] = &[$(declarations::$family::FUNCTIONS),*];
    };
}

aclnn_sys::operator_families!(families);

/// Expected are the texts beside each declaration; a description finds some of them in tables, by numbers.
#[test]
fn an_operator_has_the_texts_of_its_declaration() {
    let mut count = 0;
    for ([family, function, doc], forms) in DECLARED.iter().copied().flatten() {
        for (operator, [name, c_name]) in forms.iter() {
            assert_eq!([operator.name(), operator.c_names()[1]], [*name, *c_name]);
            let texts = [operator.family(), operator.function(), operator.doc()];
            assert_eq!(texts, [*family, *function, doc.trim()], "{name}");
            count += 1;
        }
    }
    assert_eq!(count, operators::all().count());
}

/// Names as C has them: words run together.
fn in_c(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

#[test]
fn declared_operators_agree_with_the_table_of_all() {
    let table: BTreeMap<_, _> = published().map(|operator| (operator.name, operator)).collect();
    for declared in operators::all() {
        let known =
            table.get(declared.name()).unwrap_or_else(|| panic!("{} is not in the table", declared.name()));
        assert!(known.header.is_some() && known.is_pair, "{}", declared.name());
        let known = known.parameters().unwrap();
        let types = |parameters: &[PublishedParameter]| -> Vec<String> {
            parameters.iter().map(|parameter| parameter.c_type.clone()).collect()
        };
        let declared_types: Vec<_> =
            declared.parameters.iter().map(|parameter| parameter.kind.c_type()).collect();
        assert_eq!(declared_types, types(&known), "{}", declared.name());
        for (parameter, known) in declared.parameters.iter().zip(&known) {
            // An operand that is changed in place may be called so in C; few names have words apart there, too.
            let name = in_c(parameter.name);
            let names = [&name, &format!("{name}Ref"), parameter.name];
            assert!(names.contains(&known.name), "{}: {name}", declared.name());
        }
    }
}

#[test]
fn every_published_operator_can_be_declared() {
    let mut count = 0;
    for operator in published() {
        if let Some(parameters) = operator.parameters().filter(|_| operator.is_pair) {
            count += 1;
            for PublishedParameter { name, c_type } in parameters {
                let kinds = operators::ParameterKind::ALL;
                assert!(
                    kinds.iter().any(|kind| kind.c_type() == c_type),
                    "{}: {c_type}{name}",
                    operator.name
                );
                let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                assert!(name.chars().all(letters), "{}: {name}", operator.name);
            }
        }
    }
    // The 891 whose sources are published, 71 whose documentation is, 211 that were published later, and AngleV2 and
    // MoeReRouting, whose parameters follow from their kind and their definition.
    assert_eq!(count, 891 + 71 + 211 + 2);
}

/// A kind has the type of Rust that stands for its type of C; both are written out here.
#[test]
fn kinds_have_the_types_of_c() {
    macro_rules! types {
        ($($kind:ident: $type:ty = $c:literal;)*) => {{
            $(let _: fn($type) -> parameter_type!($kind) = |value| value;)*
            vec![$((stringify!($kind), $c)),*]
        }};
    }
    let expected = types! {
        tensor: *const aclTensor = "const aclTensor *";
        tensor_mut: *mut aclTensor = "aclTensor *";
        tensor_or_null: *const aclTensor = "const aclTensor *";
        out: *mut aclTensor = "aclTensor *";
        out_or_null: *mut aclTensor = "aclTensor *";
        out_const: *const aclTensor = "const aclTensor *";
        out_const_or_null: *const aclTensor = "const aclTensor *";
        inout: *mut aclTensor = "aclTensor *";
        inout_const: *const aclTensor = "const aclTensor *";
        scalar: *const aclScalar = "const aclScalar *";
        scalar_mut: *mut aclScalar = "aclScalar *";
        scalar_or_null: *const aclScalar = "const aclScalar *";
        ints: *const aclIntArray = "const aclIntArray *";
        ints_mut: *mut aclIntArray = "aclIntArray *";
        ints_or_null: *const aclIntArray = "const aclIntArray *";
        floats: *const aclFloatArray = "const aclFloatArray *";
        floats_mut: *mut aclFloatArray = "aclFloatArray *";
        floats_or_null: *const aclFloatArray = "const aclFloatArray *";
        bools: *const aclBoolArray = "const aclBoolArray *";
        bools_or_null: *const aclBoolArray = "const aclBoolArray *";
        tensors: *const aclTensorList = "const aclTensorList *";
        tensors_or_null: *const aclTensorList = "const aclTensorList *";
        tensors_mut: *mut aclTensorList = "aclTensorList *";
        tensors_out: *mut aclTensorList = "aclTensorList *";
        tensors_out_const: *const aclTensorList = "const aclTensorList *";
        tensors_inout: *mut aclTensorList = "aclTensorList *";
        tensors_inout_const: *const aclTensorList = "const aclTensorList *";
        scalars: *const aclScalarList = "const aclScalarList *";
        i64: i64 = "int64_t ";
        u64: u64 = "uint64_t ";
        i32: i32 = "int32_t ";
        u32: u32 = "uint32_t ";
        i8: i8 = "int8_t ";
        int: std::ffi::c_int = "int ";
        bool: bool = "bool ";
        f32: f32 = "float ";
        f64: f64 = "double ";
        dtype: aclDataType = "aclDataType ";
        str: *const std::ffi::c_char = "const char *";
        str_mut: *mut std::ffi::c_char = "char *";
    };
    let kinds: Vec<_> =
        operators::ParameterKind::ALL.iter().map(|kind| (kind.name(), kind.c_type())).collect();
    assert_eq!(kinds, expected);
}

#[test]
fn first_releases_belong_to_functions_that_exist() {
    assert_eq!(since("aclInit"), None);
    assert_eq!(since("aclFinalizeReference"), Some("8.5.0"));
    let source = include_str!("../../src/since.rs");
    let names =
        source.split('"').skip(1).step_by(2).filter(|text| text.starts_with("acl") && *text != "aclnn");
    for name in names {
        assert!(Runtime::SYMBOLS.contains(&name) || Meta::SYMBOLS.contains(&name), "{name}");
    }
}

/// Newer versions of computed operators that are not declared, each with the reason.
const OLDER_VERSIONS_ALONE: &[(&str, &[&str])] = &[
    (
        "its parameters are not known",
        &[
            "CastV3",
            "CeluV3",
            "CoshV2",
            "LogSoftmaxV2",
            "RealV2",
            "ReluV3",
            "SparseLightningIndexerGradKLLossV2",
            "TopkV2",
        ],
    ),
    (
        "the meaning of what it adds is not known",
        &["ClippedSwigluV2", "MoeInitRoutingV4", "MoeTokenPermuteV2"],
    ),
    ("the default product lacks it", &["FlashAttentionScoreV4", "FlashAttentionScoreGradV4"]),
];

/// A program takes the newest version that a library exports, so one that refuses would hide an older one that computes.
#[test]
fn a_newer_version_answers_at_least_what_the_older_one_does() {
    let declared: Vec<&str> = operators::all().map(|operator| operator.name()).collect();
    let split = |name: &'static str| {
        let base = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let version: u32 = name[base.len()..].parse().ok()?;
        Some((base.strip_suffix('V')?, version))
    };
    let hides = |name: &'static str| {
        let Some((base, version)) = split(name) else { return false };
        let is_older = |other: &&'static str| {
            *other == base || split(other).is_some_and(|(own, of)| own == base && of < version)
        };
        !declared.contains(&name) && declared.iter().any(is_older)
    };
    let mut hiding: Vec<&str> =
        published().map(|operator| operator.name).filter(|name| hides(name)).collect();
    let mut excused: Vec<&str> = OLDER_VERSIONS_ALONE.iter().flat_map(|(_, names)| *names).copied().collect();
    hiding.sort_unstable();
    excused.sort_unstable();
    assert_eq!(hiding, excused);
}
