//! Planted defects: deliberate errors of the emulator, to test programs that look for defects of a library. They are planted
//! in `operators/defective.rs`, and for events in `runtime/stream/event`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::fault_rule::names;

/// The defect of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Mixed operands are computed in the type of the first one.
    Promotion,
    /// Results are rounded to a narrower float towards zero.
    Rounding,
    /// Results are rounded to a narrower float to the nearest, and away from zero where two are as near.
    Ties,
    /// A conversion gives the greatest or the least number for one that the target cannot hold.
    Saturate,
    /// A conversion to integers keeps the lowest bits of a number that the target cannot hold.
    Wrap,
    /// A number beyond a bound becomes the other bound.
    Clamp,
    /// A number beyond a bound stays as it is.
    Unclamped,
    /// The first two tensors are taken for each other.
    Swap,
    /// Along the axis before the one that is named.
    Axis,
    /// Each element of a result is the one that belongs behind it.
    Index,
    /// The last quarter of a result is not written.
    Stale,
    /// A result that is not a number is 0.
    Nan,
    /// Every tensor is taken as contiguous.
    Strides,
    /// The bytes behind the last element of an output are changed.
    Past,
    /// Each launch keeps device memory.
    Leak,
    /// Bad input is refused with another code.
    Code,
    /// The process dies by SIGSEGV when the kernel runs.
    Crash,
    /// The kernel never ends.
    Hang,
    /// The embedded emulator does not list the function.
    Missing,
}

const KINDS: [(&str, Kind); 19] = [
    ("promotion", Kind::Promotion),
    ("rounding", Kind::Rounding),
    ("ties", Kind::Ties),
    ("saturate", Kind::Saturate),
    ("wrap", Kind::Wrap),
    ("clamp", Kind::Clamp),
    ("unclamped", Kind::Unclamped),
    ("swap", Kind::Swap),
    ("axis", Kind::Axis),
    ("index", Kind::Index),
    ("stale", Kind::Stale),
    ("nan", Kind::Nan),
    ("strides", Kind::Strides),
    ("past", Kind::Past),
    ("leak", Kind::Leak),
    ("code", Kind::Code),
    ("crash", Kind::Crash),
    ("hang", Kind::Hang),
    ("missing", Kind::Missing),
];

/// The defect that belongs to no operator.
const EVENTS: &str = "events";

/// The operators that do nothing but convert.
const CONVERTING: [&str; 2] = ["aclnnCast", "aclnnInplaceCopy"];

/// The operators of which it is known what they compute before they round.
const ROUNDING: [&str; 6] = ["aclnnCast", "aclnnInplaceCopy", "aclnnAdd", "aclnnSub", "aclnnMul", "aclnnDiv"];

/// The defects of a process.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Defects {
    /// With the C names of their operators.
    operators: Vec<(Kind, String)>,
    /// Whether streams do not wait for events.
    pub(crate) events: bool,
}

/// Whether the functions are looked up in a list, which can leave some out. A library exports all that it was made with.
static IS_EMBEDDED: AtomicBool = AtomicBool::new(false);

/// Says that this is no library, before the settings are read: a program looks functions up in the list, or controls the
/// emulator.
pub(crate) fn allow_missing() {
    IS_EMBEDDED.store(true, Relaxed);
}

/// The syntax of a defect, for messages.
pub(crate) const UNDERSTOOD: &str = "events, or KIND:aclnnNAME with promotion, rounding, ties, saturate, wrap, clamp, unclamped, \
                                     swap, axis, index, stale, nan, strides, past, leak, code, crash, hang or missing as KIND";

impl Defects {
    /// Reads a list with commas; `tell` gets a sentence about each defect that cannot be planted, which is left out.
    pub(crate) fn parse(text: &str, mut tell: impl FnMut(String)) -> Self {
        let mut defects = Defects::default();
        for text in text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            match of_text(text) {
                Ok(None) => defects.events = true,
                Ok(Some(defect)) => defects.operators.push(defect),
                Err(why) => tell(format!("{text} is left out: {why}")),
            }
        }
        defects
    }

    /// What is wrong with the operator whose second function is `function`.
    pub(crate) fn of<'a>(&'a self, function: &'a str) -> impl Iterator<Item = Kind> + 'a {
        self.operators.iter().filter(move |(_, name)| name == function).map(|(kind, _)| *kind)
    }

    /// Returns whether `function` is missing, which is one of the two of an operator.
    pub(crate) fn lacks(&self, function: &str) -> bool {
        let operator = function.strip_suffix("GetWorkspaceSize").unwrap_or(function);
        self.of(operator).any(|kind| kind == Kind::Missing)
    }
}

/// `None` for the defect of events.
fn of_text(text: &str) -> Result<Option<(Kind, String)>, String> {
    if text == EVENTS {
        return Ok(None);
    }
    let not_understood = || format!("it is not understood; a defect may be {UNDERSTOOD}");
    let (kind, name) = text.split_once(':').ok_or_else(not_understood)?;
    let (_, kind) = *KINDS.iter().find(|(text, _)| *text == kind.trim()).ok_or_else(not_understood)?;
    let name = name.trim();
    let mut operators = names::queueing().filter(|name| name.starts_with("aclnn"));
    if !operators.any(|operator| operator == name) {
        let near = names::nearest(name, names::queueing().filter(|name| name.starts_with("aclnn")));
        let near = if near.is_empty() { String::new() } else { format!("; near are {}", near.join(", ")) };
        return Err(format!("{name} is no operator of the emulator{near}"));
    }
    match kind {
        Kind::Rounding | Kind::Ties if !ROUNDING.contains(&name) => {
            Err(format!("what {name} rounds is not known; {} may have it", ROUNDING.join(", ")))
        }
        Kind::Saturate | Kind::Wrap if !CONVERTING.contains(&name) => {
            Err(format!("{name} does not only convert; {} do", CONVERTING.join(" and ")))
        }
        Kind::Missing if !IS_EMBEDDED.load(Relaxed) => Err(format!(
            "a library has the functions that it was made with; cargo xtask toolkit --without {name} makes one that lacks it"
        )),
        kind => Ok(Some((kind, name.to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_are_read_as_written_and_told_where_they_cannot_be_planted() {
        let mut told = Vec::new();
        let text = "crash:aclnnDiv, events,strides: aclnnSub,,crash:aclnnMul,past:aclnnSub";
        let defects = Defects::parse(text, |sentence| told.push(sentence));
        assert!(told.is_empty() && defects.events, "{told:?}");
        assert_eq!(defects.of("aclnnSub").collect::<Vec<_>>(), [Kind::Strides, Kind::Past]);
        assert_eq!(defects.of("aclnnDiv").collect::<Vec<_>>(), [Kind::Crash]);
        assert_eq!(defects.of("aclnnAdd").count(), 0);

        for (wrong, why) in [
            ("crash", "not understood"),
            ("melt:aclnnAdd", "not understood"),
            ("crash:aclnnAdd_", "near are aclnnAdd"),
            ("crash:aclrtMemcpyAsync", "no operator"),
            ("crash:aclnnAddGetWorkspaceSize", "no operator"),
            ("rounding:aclnnExp", "aclnnCast, aclnnInplaceCopy, aclnnAdd"),
            ("wrap:aclnnAdd", "aclnnCast and aclnnInplaceCopy"),
        ] {
            let mut told = Vec::new();
            assert_eq!(Defects::parse(wrong, |sentence| told.push(sentence)), Defects::default());
            assert!(told.len() == 1 && told[0].starts_with(wrong) && told[0].contains(why), "{told:?}");
        }
    }

    #[test]
    fn a_missing_operator_lacks_both_functions_and_no_other() {
        let defects = Defects { operators: vec![(Kind::Missing, "aclnnMul".to_owned())], events: false };
        let lacks = |name| defects.lacks(name);
        assert!(lacks("aclnnMul") && lacks("aclnnMulGetWorkspaceSize"));
        assert!(!lacks("aclnnMuls") && !lacks("aclnnInplaceMul") && !lacks("aclrtMalloc"));
        let crashing = Defects { operators: vec![(Kind::Crash, "aclnnMul".to_owned())], events: false };
        assert!(!crashing.lacks("aclnnMul"));
    }
}
