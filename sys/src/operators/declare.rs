//! The declaration of an operator: its pair of functions, its metadata, its place in the table.

/// Expands to the type of an operator's parameter of a kind, as C passes it.
///
/// | kind | C | | kind | C |
/// |---|---|---|---|---|
/// | `tensor` | `const aclTensor *`, read | | `i64` | `int64_t` |
/// | `tensor_mut` | `aclTensor *`, only read all the same | | `u64` | `uint64_t` |
/// | `out` | `aclTensor *`, written | | `i32` | `int32_t` |
/// | `out_const` | `const aclTensor *`, written all the same | | `i8` | `int8_t` |
/// | `inout` | `aclTensor *`, read and written | | `int` | `int` |
/// | `inout_const` | `const aclTensor *`, read and written all the same | | `bool` | `bool` |
/// | `scalar` `scalar_mut` | `const aclScalar *`, `aclScalar *` | | `f32` | `float` |
/// | `ints` `floats` `bools` | `const aclIntArray *` and so on | | `f64` | `double` |
/// | `ints_mut` `floats_mut` | `aclIntArray *`, `aclFloatArray *` | | `dtype` | `aclDataType` |
/// | `scalars` | `const aclScalarList *` | | `str` | `const char *` |
/// | `tensors` `tensors_mut` | `const aclTensorList *`, `aclTensorList *`, read | | `str_mut` | `char *` |
/// | `tensors_out` `tensors_out_const` | `aclTensorList *`, `const aclTensorList *`, written | | | |
/// | `tensors_inout` `tensors_inout_const` | the same, read and written | | | |
///
/// ```
/// let axis: aclnn_sys::parameter_type!(i64) = -1;
/// let tensor: aclnn_sys::parameter_type!(tensor) = std::ptr::null();
/// # let _: (i64, *const aclnn_sys::aclTensor) = (axis, tensor);
/// ```
#[macro_export]
macro_rules! parameter_type {
    (tensor) => { *const $crate::aclTensor };
    (tensor_mut) => { *mut $crate::aclTensor };
    (out) => { *mut $crate::aclTensor };
    (out_const) => { *const $crate::aclTensor };
    (inout) => { *mut $crate::aclTensor };
    (inout_const) => { *const $crate::aclTensor };
    (scalar) => { *const $crate::aclScalar };
    (scalar_mut) => { *mut $crate::aclScalar };
    (ints) => { *const $crate::aclIntArray };
    (ints_mut) => { *mut $crate::aclIntArray };
    (floats) => { *const $crate::aclFloatArray };
    (floats_mut) => { *mut $crate::aclFloatArray };
    (bools) => { *const $crate::aclBoolArray };
    (tensors) => { *const $crate::aclTensorList };
    (tensors_mut) => { *mut $crate::aclTensorList };
    (tensors_out) => { *mut $crate::aclTensorList };
    (tensors_out_const) => { *const $crate::aclTensorList };
    (tensors_inout) => { *mut $crate::aclTensorList };
    (tensors_inout_const) => { *const $crate::aclTensorList };
    (scalars) => { *const $crate::aclScalarList };
    (i64) => { i64 };
    (u64) => { u64 };
    (i32) => { i32 };
    (i8) => { i8 };
    (int) => { ::core::ffi::c_int };
    (bool) => { bool };
    (f32) => { f32 };
    (f64) => { f64 };
    (dtype) => { $crate::aclDataType };
    (str) => { *const ::core::ffi::c_char };
    (str_mut) => { *mut ::core::ffi::c_char };
}

macro_rules! kinds {
    ($($kind:ident $Variant:ident $c:literal)*) => {
        /// The kind of an operator's parameter; see [`parameter_type!`](crate::parameter_type).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ParameterKind {
            $(#[doc = concat!("`", $c, "`, declared `", stringify!($kind), "`")] $Variant,)*
        }

        impl ParameterKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// Returns the name of the kind in declarations.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => stringify!($kind),)*
                }
            }

            /// Returns the C type, to be followed by a name.
            pub const fn c_type(self) -> &'static str {
                match self {
                    $(Self::$Variant => $c,)*
                }
            }
        }

        /// The kinds under the names that declarations use.
        #[allow(non_upper_case_globals, dead_code)]
        pub(super) mod kind {
            use super::ParameterKind;
            $(pub(in super::super) const $kind: ParameterKind = ParameterKind::$Variant;)*
        }
    };
}

kinds! {
    tensor              Tensor            "const aclTensor *"
    tensor_mut          TensorMut         "aclTensor *"
    out                 Out               "aclTensor *"
    out_const           OutConst          "const aclTensor *"
    inout               InOut             "aclTensor *"
    inout_const         InOutConst        "const aclTensor *"
    scalar              Scalar            "const aclScalar *"
    scalar_mut          ScalarMut         "aclScalar *"
    ints                Ints              "const aclIntArray *"
    ints_mut            IntsMut           "aclIntArray *"
    floats              Floats            "const aclFloatArray *"
    floats_mut          FloatsMut         "aclFloatArray *"
    bools               Bools             "const aclBoolArray *"
    tensors             Tensors           "const aclTensorList *"
    tensors_mut         TensorsMut        "aclTensorList *"
    tensors_out         TensorsOut        "aclTensorList *"
    tensors_out_const   TensorsOutConst   "const aclTensorList *"
    tensors_inout       TensorsInOut      "aclTensorList *"
    tensors_inout_const TensorsInOutConst "const aclTensorList *"
    scalars             Scalars           "const aclScalarList *"
    i64                 I64               "int64_t "
    u64                 U64               "uint64_t "
    i32                 I32               "int32_t "
    i8                  I8                "int8_t "
    int                 Int               "int "
    bool                Bool              "bool "
    f32                 F32               "float "
    f64                 F64               "double "
    dtype               DType             "aclDataType "
    str                 Str               "const char *"
    str_mut             StrMut            "char *"
}

/// The rule by which an operator chooses types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Tensors and scalars are promoted to one type, in which it computes; the result is converted to the type of the output.
    Promote,
    /// The caller chooses the type of the result, and every element is converted to it.
    Convert,
    /// One value, converted to the type of the output, goes to every element.
    Fill,
    /// A sequence of numbers is computed from scalars and converted to the type of the output.
    Sequence,
}

/// A parameter of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The kind of the parameter.
    pub kind: ParameterKind,
}

impl Parameter {
    /// Creates a parameter as declared, where `self_` stands for `self`.
    pub(super) const fn new(name: &'static str, kind: ParameterKind) -> Self {
        let name = match name.as_bytes() {
            [.., b'_'] => name.split_at(name.len() - 1).0,
            _ => name,
        };
        Self { name, kind }
    }
}

/// What is known about an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorInfo {
    /// The C name without the prefix: `Add`.
    pub name: &'static str,
    /// The function of which the operator is a form: `add`, of which `Add`, `Adds` and `InplaceAdd` are forms.
    pub function: &'static str,
    /// The file that declares the operator: `arithmetic`.
    pub family: &'static str,
    /// The rule by which the operator chooses types.
    pub rule: Rule,
    /// The C header that declares the operator.
    pub header: &'static str,
    /// What the operator computes, without a full stop.
    pub doc: &'static str,
    /// The parameters of phase one that come before those of every operator.
    pub parameters: &'static [Parameter],
    /// The oldest CANN known to have the operator, if not every release has it.
    pub since: Option<&'static str>,
}

/// An operator declared in this crate.
pub trait Operator: Copy + Send + Sync + 'static {
    /// The metadata of the operator.
    const INFO: OperatorInfo;
}

/// Returns a documentation text without the space after `///`.
pub(super) const fn doc(doc: &'static str) -> &'static str {
    match doc.as_bytes() {
        [b' ', ..] => doc.split_at(1).1,
        _ => doc,
    }
}

/// Expands the declarations of a family into `OPERATORS`, the operators, and their part of the table.
macro_rules! family {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident in $header:literal {
                $($Name:ident $parameters:tt $(since $since:literal)?;)*
            }
        )*
    ) => {
        /// The operators of this family.
        pub const OPERATORS: &[&$crate::operators::OperatorInfo] =
            &[$($(&<$Name as $crate::operators::Operator>::INFO,)*)*];

        $($crate::operators::declare::function! {
            $family, $Rule, concat!($($doc),*), $function, $header:
            $($Name $parameters $(since $since)?;)*
        })*

        /// This family's part of the table.
        #[allow(non_snake_case)]
        pub(super) struct Table {
            $($($Name: Result<$Name, $crate::MissingSymbol>,)*)*
        }

        impl Table {
            pub(super) fn load(source: &dyn $crate::SymbolSource) -> Self {
                Self { $($($Name: $Name::load(source),)*)* }
            }
        }
    };
}

/// Expands the forms of one function.
macro_rules! function {
    (
        $family:ident, $Rule:ident, $doc:expr, $function:ident, $header:literal:
        $($Name:ident($($parameter:ident: $kind:ident),* $(,)?) $(since $since:literal)?;)*
    ) => {
        $(
            $crate::operator! {
                @declare
                #[doc = concat!("`aclnn", stringify!($Name), "`:", $doc)]
                pub $Name, concat!("aclnn", stringify!($Name)), ($($parameter: $crate::parameter_type!($kind)),*)
            }

            impl $crate::operators::Operator for $Name {
                const INFO: $crate::operators::OperatorInfo = $crate::operators::OperatorInfo {
                    name: stringify!($Name),
                    function: stringify!($function),
                    family: stringify!($family),
                    rule: $crate::operators::Rule::$Rule,
                    header: $header,
                    doc: $crate::operators::declare::doc($doc),
                    parameters: &[$(
                        $crate::operators::Parameter::new(
                            stringify!($parameter),
                            $crate::operators::declare::kind::$kind,
                        )
                    ),*],
                    since: $crate::operators::declare::since!($($since)?),
                };
            }

            impl $crate::Operators {
                #[doc = concat!("`aclnn", stringify!($Name), "`:", $doc)]
                ///
                /// # Errors
                /// [`MissingSymbol`](crate::MissingSymbol) where the library lacks the operator.
                #[allow(non_snake_case)]
                #[inline]
                pub fn $Name(&self) -> Result<&$Name, $crate::MissingSymbol> {
                    self.$family.$Name.as_ref().map_err(Clone::clone)
                }
            }
        )*
    };
}

macro_rules! since {
    () => {
        None
    };
    ($since:literal) => {
        Some($since)
    };
}

pub(crate) use {family, function, since};
