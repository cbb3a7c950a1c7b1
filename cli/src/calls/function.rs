//! A function that can be called by name, and the macro that lists functions.

use std::fmt;

use anyhow::{Result, anyhow};

use super::given::{Given, shown};
use super::operation::Outcome;

/// A function of the safe layer.
#[derive(Debug)]
pub(crate) struct Function {
    /// The name in `aclnn::ops`, or of the method of `Tensor`.
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// The C names of the operators that it launches, without their prefix.
    pub(crate) forms: &'static [&'static str],
    pub(super) call: for<'a> fn(&mut Given<'a>) -> Result<Outcome>,
}

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    name: &'static str,
    kind: &'static str,
    /// The value of an attribute that is not given.
    pub(crate) default: Option<&'static str>,
}

impl Parameter {
    pub(super) const fn new(name: &'static str, kind: &'static str, default: Option<&'static str>) -> Self {
        Self { name, kind, default }
    }

    pub(crate) fn name(&self) -> &'static str {
        shown(self.name)
    }

    /// Returns whether it is given in its place, and not by its name.
    pub(crate) fn is_operand(&self) -> bool {
        matches!(self.kind, "tensor" | "target" | "operand" | "value" | "tensors" | "optional_tensor")
    }

    /// Returns whether a tensor can be given for it.
    pub(crate) fn is_tensor(&self) -> bool {
        self.is_operand() && self.kind != "value"
    }

    /// Returns whether a call needs it.
    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !self.kind.starts_with("optional") && !self.is_hidden()
    }

    /// Returns whether a call gets it without a word of the caller.
    fn is_hidden(&self) -> bool {
        self.kind == "device"
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match (self.kind, self.default) {
            ("tensors", _) => write!(f, "{name}…"),
            ("optional_tensor", _) => write!(f, "[{name}]"),
            ("optional_dtype", _) => f.write_str("[--dtype TYPE]"),
            ("dtype", None) => f.write_str("--dtype TYPE"),
            ("dtype", Some(default)) => write!(f, "[--dtype TYPE, else {default}]"),
            _ if self.is_operand() => f.write_str(name),
            (_, Some(default)) => write!(f, "[--attr {name}={default}]"),
            _ if self.is_required() => write!(f, "--attr {name}=…"),
            _ => write!(f, "[--attr {name}=…]"),
        }
    }
}

impl Function {
    /// Returns whether the result replaces the elements of an operand.
    pub(super) fn writes_operand(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.kind == "target")
    }

    /// Returns how a call is written: `leaky_relu self --attr slope=…`.
    pub(crate) fn usage(&self) -> String {
        let parameters = self.parameters.iter().filter(|parameter| !parameter.is_hidden());
        std::iter::once(self.name.to_owned())
            .chain(parameters.map(ToString::to_string))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Calls the function with all arguments that are given.
    pub(crate) fn call(&self, mut given: Given<'_>) -> Result<Outcome> {
        (self.call)(&mut given).map_err(|error| match error.is::<aclnn::Error>() {
            true => error,
            false => anyhow!("{}: {error:#}\nit is called as: {}", self.name, self.usage()),
        })
    }
}

/// Expands to a default, if there is one.
macro_rules! default {
    () => {
        None
    };
    ($default:literal) => {
        Some($default)
    };
}

/// Lists functions: a line is `name(parameter: kind = "default", …) [forms] => operation;`. The kinds are the methods of
/// `Given`.
macro_rules! functions {
    ($(
        $name:ident ($($parameter:ident: $kind:ident $(= $default:literal)?),* $(,)?) [$($form:ident)*] => $operation:expr;
    )*) => {
        pub(super) const FUNCTIONS: &[$crate::calls::function::Function] = &[$($crate::calls::function::Function {
            name: stringify!($name),
            parameters: &[$($crate::calls::function::Parameter::new(
                stringify!($parameter),
                stringify!($kind),
                $crate::calls::function::default!($($default)?),
            )),*],
            forms: &[$(stringify!($form)),*],
            call: |given| {
                $(let $parameter = given.$kind(
                    stringify!($parameter),
                    $crate::calls::function::default!($($default)?),
                )?;)*
                given.finish()?;
                $crate::calls::operation::Operation::carry_out($operation, &given.options)
            },
        }),*];
    };
}

pub(super) use {default, functions};
