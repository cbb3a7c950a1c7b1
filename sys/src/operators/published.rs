//! The operators of CANN, including those that this crate does not declare.

use super::ParameterKind;

/// The table of operators: one operator per line, after a head of comments that explains the columns.
const TABLE: &str = include_str!("../../operators.tsv");

/// The published functions that are no pair, and so no declared operator, and that the emulator computes.
pub const COMPUTED_ALONE: [&str; 4] = [
    "CalculateMatmulWeightSize",
    "CalculateMatmulWeightSizeV2",
    "NpuFormatCastCalculateSizeAndFormat",
    "SetPytorchRandom",
];

/// An operator that CANN publishes, or that known programs look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The C name without the prefix: `Add`.
    pub name: &'static str,
    /// The part of CANN's operators that the operator belongs to, such as `math` or `nn`. It ends in `experimental` for
    /// operators that CANN's libraries lack until they are built by hand. `None` where the part is not known.
    pub library: Option<&'static str>,
    /// Whether the operator is the usual pair of functions, and not a single function.
    pub is_pair: bool,
    /// The C header that declares the operator, under `aclnnop`; `None` where it is not known.
    pub header: Option<&'static str>,
    parameters: Option<&'static str>,
}

/// A parameter of a published operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedParameter {
    /// The name of the parameter in C.
    pub name: &'static str,
    /// The C type of the parameter, to be followed by its name.
    pub c_type: String,
}

impl Published {
    /// Returns the parameters of phase one that come before those of every operator, or all parameters of a single
    /// function. `None` where they are not known.
    ///
    /// A `const` in C does not tell whether the parameter is written.
    pub fn parameters(&self) -> Option<Vec<PublishedParameter>> {
        match self.parameters? {
            "void" => Some(Vec::new()),
            parameters => parameters.split(", ").map(PublishedParameter::read).collect(),
        }
    }
}

impl PublishedParameter {
    /// Reads a name, the words before a kind, and the kind.
    fn read(text: &'static str) -> Option<Self> {
        let (name, kind) = text.split_once(' ')?;
        Some(Self { name, c_type: c_type(kind)? })
    }
}

/// Returns the C type of a kind, which `mut` makes a pointer that is not const, and `out` a reference of C++.
fn c_type(kind: &str) -> Option<String> {
    if let Some(kind) = kind.strip_prefix("out ") {
        return Some(format!("ACLNN_OUT({}) ", c_type(kind)?.trim_end()));
    }
    if let Some(kind) = kind.strip_prefix("mut ") {
        let target = c_type(kind)?;
        return Some(target.strip_prefix("const ").map_or_else(|| format!("{target}*"), str::to_owned));
    }
    if kind == "executor" {
        return Some("aclOpExecutor *".to_owned());
    }
    let kind = ParameterKind::ALL.iter().find(|known| known.name() == kind)?;
    Some(kind.c_type().to_owned())
}

/// Returns every operator that CANN publishes or that known programs look up, sorted by name.
///
/// ```
/// use aclnn_sys::operators::published;
///
/// let rms_norm = published().find(|operator| operator.name == "RmsNorm").unwrap();
/// assert_eq!(rms_norm.header, Some("aclnn_rms_norm.h"));
/// let names: Vec<_> = rms_norm.parameters().unwrap().into_iter().map(|parameter| parameter.name).collect();
/// assert_eq!(names, ["x", "gamma", "epsilon", "yOut", "rstdOut"]);
/// ```
pub fn published() -> impl Iterator<Item = Published> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next()?;
        let library = columns.next().filter(|library| *library != "-");
        let is_pair = columns.next()? == "2";
        let mut known = || columns.next().filter(|text| *text != "-");
        Some(Published { name, library, is_pair, header: known(), parameters: known() })
    })
}
