//! Descriptions of the declared operators.

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
    tensor_or_null      TensorOrNull      "const aclTensor *"
    out                 Out               "aclTensor *"
    out_or_null         OutOrNull         "aclTensor *"
    out_const           OutConst          "const aclTensor *"
    out_const_or_null   OutConstOrNull    "const aclTensor *"
    inout               InOut             "aclTensor *"
    inout_const         InOutConst        "const aclTensor *"
    scalar              Scalar            "const aclScalar *"
    scalar_mut          ScalarMut         "aclScalar *"
    scalar_or_null      ScalarOrNull      "const aclScalar *"
    ints                Ints              "const aclIntArray *"
    ints_mut            IntsMut           "aclIntArray *"
    ints_or_null        IntsOrNull        "const aclIntArray *"
    floats              Floats            "const aclFloatArray *"
    floats_mut          FloatsMut         "aclFloatArray *"
    floats_or_null      FloatsOrNull      "const aclFloatArray *"
    bools               Bools             "const aclBoolArray *"
    bools_or_null       BoolsOrNull       "const aclBoolArray *"
    tensors             Tensors           "const aclTensorList *"
    tensors_or_null     TensorsOrNull     "const aclTensorList *"
    tensors_mut         TensorsMut        "aclTensorList *"
    tensors_out         TensorsOut        "aclTensorList *"
    tensors_out_const   TensorsOutConst   "const aclTensorList *"
    tensors_inout       TensorsInOut      "aclTensorList *"
    tensors_inout_const TensorsInOutConst "const aclTensorList *"
    scalars             Scalars           "const aclScalarList *"
    i64                 I64               "int64_t "
    u64                 U64               "uint64_t "
    i32                 I32               "int32_t "
    u32                 U32               "uint32_t "
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
    /// A function of the elements of each tensor of lists, all of one type, is computed.
    Foreach,
    /// Elements are copied to other places, and converted only to the type of the output.
    Movement,
    /// A sequence of numbers is computed from scalars and converted to the type of the output.
    Sequence,
    /// Everything is computed in f32, or in f64 where an operand is f64, and rounded once to the type of each output.
    Wide,
    /// Matrices are computed in f64, complex numbers in pairs of f64, and rounded to the type of each output.
    Linalg,
    /// Products of matrices are computed in a float, halves in f32, and added to a tensor where there is one.
    Matrix,
    /// Numbers are drawn by a seed and an offset in f32, and converted to the type of the output.
    Random,
    /// Elements are found by indices or by a mask, and moved or combined in their own type.
    Indexed,
    /// A function of each element is computed, integers in a float if it has no integer values.
    Unary,
    /// The elements along axes are computed together, in the type of the result or of the operand.
    AlongAxes,
    /// A function of the elements of tensors of one type, or promoted to one, is computed, with attributes.
    Parametric,
    /// Elements are ordered by their values; results are elements and positions.
    Order,
}

/// A parameter of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The kind of the parameter.
    pub kind: ParameterKind,
}

/// The parameters of an operator, in their order.
///
/// ```
/// use aclnn_sys::operators::arithmetic::Add;
///
/// let names: Vec<_> = Add.parameters.iter().map(|parameter| parameter.name).collect();
/// assert_eq!(names, ["self", "other", "alpha", "out"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    // One text for all names, since a program relocates each pointer to a text when it starts, and there are thousands.
    /// The names as declared, one after the other.
    names: &'static str,
    /// The length of each name, and its kind.
    each: &'static [(u8, ParameterKind)],
}

impl Parameters {
    pub(super) const fn new(names: &'static str, each: &'static [(u8, ParameterKind)]) -> Self {
        Self { names, each }
    }

    /// Returns an iterator over the parameters.
    #[inline]
    pub fn iter(self) -> ParametersIter {
        ParametersIter { names: self.names, each: self.each.iter() }
    }

    /// Returns the parameter at a position.
    #[inline]
    pub fn get(self, position: usize) -> Option<Parameter> {
        self.iter().nth(position)
    }

    /// Returns the first parameter.
    #[inline]
    pub fn first(self) -> Option<Parameter> {
        self.get(0)
    }

    /// Returns the number of parameters.
    #[inline]
    pub fn len(self) -> usize {
        self.each.len()
    }

    /// Returns whether there are no parameters.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.each.is_empty()
    }
}

impl IntoIterator for Parameters {
    type Item = Parameter;
    type IntoIter = ParametersIter;

    #[inline]
    fn into_iter(self) -> ParametersIter {
        self.iter()
    }
}

/// An iterator over the parameters of an operator.
#[derive(Debug, Clone)]
pub struct ParametersIter {
    names: &'static str,
    each: std::slice::Iter<'static, (u8, ParameterKind)>,
}

impl Iterator for ParametersIter {
    type Item = Parameter;

    #[inline]
    fn next(&mut self) -> Option<Parameter> {
        let (length, kind) = *self.each.next()?;
        let (name, names) = self.names.split_at_checked(length.into())?;
        self.names = names;
        // `self_` stands for `self`.
        Some(Parameter { name: name.strip_suffix('_').unwrap_or(name), kind })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.each.size_hint()
    }
}

impl ExactSizeIterator for ParametersIter {}

/// The description of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorInfo {
    // One text alone is stored. The name is a part of it, and the other texts are found in tables by the places below: a program
    // relocates each stored pointer when it starts, and does not link tables that it never asks for.
    /// The C name of phase one, which begins with that of phase two.
    pub(super) phase_one: &'static str,
    /// The rule by which the operator chooses types.
    pub rule: Rule,
    /// The parameters of phase one that come before those of every operator.
    pub parameters: Parameters,
    /// The oldest CANN known to have the operator, if not every release has it.
    pub since: Option<&'static str>,
    /// The place of the family among all.
    pub(crate) family: u16,
    /// The place of the function in the family.
    pub(super) function: u16,
    /// The place of the operator in the family.
    pub(crate) operator: u16,
}

impl OperatorInfo {
    /// Returns the C name without the prefix: `Add`.
    #[inline]
    pub fn name(&self) -> &'static str {
        self.c_names()[1].get("aclnn".len()..).unwrap_or_default()
    }

    /// Returns the description of an operator of the same family and parameters, with a name and a function that do not exist:
    /// what a test takes for an operator that was just declared. Its function and its words are empty texts.
    #[doc(hidden)]
    pub fn unheard(&self) -> OperatorInfo {
        OperatorInfo { phase_one: "aclnnUnheardGetWorkspaceSize", function: u16::MAX, ..*self }
    }

    /// Returns the C names of phase one and of phase two: `aclnnAddGetWorkspaceSize` and `aclnnAdd`.
    #[inline]
    pub fn c_names(&self) -> [&'static str; 2] {
        // Asked for at each call, so nothing is compared.
        let end = self.phase_one.len().saturating_sub("GetWorkspaceSize".len());
        [self.phase_one, self.phase_one.get(..end).unwrap_or_default()]
    }
}

/// Returns a documentation text without the space after `///`.
pub(super) const fn doc(doc: &'static str) -> &'static str {
    match doc.as_bytes() {
        [b' ', ..] => doc.split_at(1).1,
        _ => doc,
    }
}

/// Expands the declarations of a family into `OPERATORS`, and a static for each operator under its name: other crates link
/// them, so that they are evaluated once.
macro_rules! family {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)*
            }
        )*
    ) => {
        /// The operators of this family.
        pub static OPERATORS: &[&$crate::families::OperatorInfo] = &[$($(&$Name,)*)*];

        /// The names of the functions of this family.
        pub(super) static FUNCTIONS: &[&str] = &[$(stringify!($function)),*];

        /// The computations of the functions of this family, in words.
        pub(super) static DOCS: &[&str] = &[$($crate::families::info::doc(concat!($($doc),*))),*];

        /// The places of the functions in the family.
        #[allow(non_camel_case_types)]
        enum Function {
            $($function),*
        }

        /// The places of the operators in the family.
        #[allow(clippy::enum_variant_names, clippy::upper_case_acronyms)]
        enum Operator {
            $($($Name),*),*
        }

        $($crate::families::info::function! {
            $family, $Rule, concat!($($doc),*), $function:
            $($Name = $c $parameters $(since $since)?;)*
        })*
    };
}

/// Expands the forms of one function.
macro_rules! function {
    (
        $family:ident, $Rule:ident, $doc:expr, $function:ident:
        $($Name:ident = $c:literal ($($parameter:ident: $kind:ident),* $(,)?) $(since $since:literal)?;)*
    ) => {
        $(
            #[doc = concat!("`", $c, "`:", $doc)]
            #[allow(non_upper_case_globals)]
            pub static $Name: $crate::families::OperatorInfo = $crate::families::OperatorInfo {
                phase_one: concat!($c, "GetWorkspaceSize"),
                rule: $crate::families::Rule::$Rule,
                parameters: $crate::families::Parameters::new(
                    concat!($(stringify!($parameter)),*),
                    &[$((
                        stringify!($parameter).len() as u8,
                        $crate::families::info::kind::$kind,
                    )),*],
                ),
                since: $crate::families::info::since!($($since)?),
                family: $crate::families::list::Family::$family as u16,
                function: Function::$function as u16,
                operator: Operator::$Name as u16,
            };
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

pub(super) use {family, function, since};
