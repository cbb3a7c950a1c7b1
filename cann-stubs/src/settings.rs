//! Settings of the emulator, read once from the environment; `settings.md` lists them.

use std::ffi::{CString, OsStr, OsString};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use aclnn_numerics::product::Product;

use crate::defect::{self, Defects};
use crate::fault_rule::{self, Rule};
use crate::messages;
use crate::misuse::{Leaks, Level};
use crate::release::Release;
use crate::stream_mode::Mode;

/// The settings of this process.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The product that the devices are.
    pub(crate) product: Product,
    /// The model of the devices, as a C string.
    pub(crate) soc_name: CString,
    /// The release of CANN that the emulator stands for.
    pub(crate) release: Release,
    pub(crate) devices: u32,
    /// Bytes of memory of each device.
    pub(crate) memory: usize,
    /// When queued work runs.
    pub(crate) streams: Mode,
    /// What happens to misuse.
    pub(crate) check: Level,
    /// Whether standard error says what was accessed when the host touches device memory.
    pub(crate) explain_host_access: bool,
    /// What happens to what still lives at its end.
    pub(crate) leaks: Leaks,
    /// Calls that fail.
    pub(crate) faults: Vec<Arc<Rule>>,
    /// What is wrong on purpose.
    pub(crate) defects: Defects,
    /// The file of the trace.
    pub(crate) trace: Option<PathBuf>,
    /// Seconds that a collective waits for other ranks.
    pub(crate) rank_timeout: u32,
    /// How many plans a thread keeps for identical calls.
    pub(crate) cache_limit: usize,
    /// Where a call fails that queues work which the emulator cannot do.
    pub(crate) refused_work: RefusedWork,
    /// Where phase one of an operator fails that the emulator cannot do: at its own call, or with its work.
    pub(crate) refused_plans: RefusedWork,
}

/// Where a call fails that queues work which the emulator cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusedWork {
    /// The call succeeds, and its work fails.
    OnStream,
    /// The call returns a code.
    AtCall,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

const PREFIX: &str = "CANN_STUBS_";
/// The settings, without the prefix.
const NAMES: [&str; 14] = [
    "SOC",
    "VERSION",
    "DEVICES",
    "MEMORY",
    "STREAMS",
    "CHECK",
    "LEAKS",
    "SEGV",
    "FAIL",
    "DEFECT",
    "TRACE",
    "SEED",
    "RANK_TIMEOUT",
    "REFUSED_WORK",
];

/// A misspelt setting would otherwise be ignored silently.
fn is_unknown(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|name| !NAMES.contains(&name))
}

/// The settings, read from the environment at the first call.
#[inline]
pub(crate) fn get() -> &'static Settings {
    SETTINGS.get().unwrap_or_else(read)
}

#[cold]
#[inline(never)]
fn read() -> &'static Settings {
    SETTINGS.get_or_init(|| {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        for name in names.filter(|name| is_unknown(name)) {
            messages::tell(&format!("{name} is no setting; {PREFIX}* are: {}", NAMES.join(" ")));
        }
        Settings::from_variables(|name| std::env::var_os(name))
    })
}

/// The message about a value that cannot be read.
fn misunderstood(name: &str, value: &OsStr, understood: &dyn Display) -> String {
    let what = if value.to_str().is_some() { "understood" } else { "text" };
    format!("{name}={} is not {what}, and the default is used; it may be {understood}", value.display())
}

/// `a, b or c`.
fn one_of(names: impl IntoIterator<Item = impl Display>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

impl Settings {
    /// A value that cannot be read is reported on standard error with the values that can, and the default is used.
    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        fn parsed<T>(
            (name, value): (&str, Option<OsString>),
            parse: impl Fn(&str) -> Option<T>,
            understood: impl Display,
            default: T,
        ) -> T {
            let Some(value) = value else { return default };
            value.to_str().and_then(|text| parse(text.trim())).unwrap_or_else(|| {
                messages::tell(&misunderstood(name, &value, &understood));
                default
            })
        }
        let set = |name| (name, variable(name));
        let refused_work = parsed(
            set("CANN_STUBS_REFUSED_WORK"),
            |text| match text {
                "stream" => Some(RefusedWork::OnStream),
                "call" => Some(RefusedWork::AtCall),
                _ => None,
            },
            one_of(["stream", "call"]),
            RefusedWork::OnStream,
        );
        // How PyTorch's plugin reads them: whether it calls phase one on a thread of its own too.
        let is = |name, value: &str| variable(name).is_some_and(|text| text == value);
        let plans_elsewhere = is("TASK_QUEUE_ENABLE", "2") && !is("ASCEND_LAUNCH_BLOCKING", "1");
        let seed = parsed(set("CANN_STUBS_SEED"), |text| text.parse().ok(), "a number from 0 on", 0);
        let (product, soc_name) = parsed(
            set("CANN_STUBS_SOC"),
            soc,
            "Ascend910, Ascend310P, Ascend910B, Ascend910_93, Ascend950, or a full SoC name that begins so, such as \
             Ascend910B2",
            (Product::Ascend910B, c"Ascend910B1".to_owned()),
        );
        Settings {
            product,
            soc_name,
            release: parsed(
                set("CANN_STUBS_VERSION"),
                Release::parse,
                one_of(Release::KNOWN),
                Release::LATEST,
            ),
            devices: parsed(
                set("CANN_STUBS_DEVICES"),
                |text| text.parse().ok().filter(|count| (1..=64).contains(count)),
                "a number from 1 to 64",
                1,
            ),
            memory: parsed(
                set("CANN_STUBS_MEMORY"),
                bytes,
                "a number of bytes from 4096 to 1024G, in which K, M and G are powers of 1024",
                32 << 30,
            ),
            streams: parsed(
                set("CANN_STUBS_STREAMS"),
                Mode::of_name,
                one_of(Mode::ALL.map(Mode::name)),
                Mode::Lazy,
            ),
            check: parsed(
                set("CANN_STUBS_CHECK"),
                Level::of_name,
                one_of(Level::ALL.map(Level::name)),
                Level::Error,
            ),
            explain_host_access: parsed(
                set("CANN_STUBS_SEGV"),
                |text| match text {
                    "off" => Some(false),
                    "tell" => Some(true),
                    _ => None,
                },
                one_of(["off", "tell"]),
                true,
            ),
            leaks: parsed(
                set("CANN_STUBS_LEAKS"),
                Leaks::of_name,
                one_of(Leaks::ALL.map(Leaks::name)),
                Leaks::Tell,
            ),
            faults: parsed(
                set("CANN_STUBS_FAIL"),
                |text| {
                    let tell = |sentence| messages::tell(&format!("CANN_STUBS_FAIL: {sentence}"));
                    Some(fault_rule::parse(text, seed, tell))
                },
                format_args!("rules with commas between them, each {}", fault_rule::UNDERSTOOD),
                Vec::new(),
            ),
            defects: parsed(
                set("CANN_STUBS_DEFECT"),
                |text| {
                    let tell = |sentence| messages::tell(&format!("CANN_STUBS_DEFECT: {sentence}"));
                    Some(Defects::parse(text, tell))
                },
                format_args!("defects with commas between them, each {}", defect::UNDERSTOOD),
                Defects::default(),
            ),
            trace: variable("CANN_STUBS_TRACE").filter(|path| !path.is_empty()).map(PathBuf::from),
            rank_timeout: parsed(
                set("CANN_STUBS_RANK_TIMEOUT"),
                |text| text.parse().ok().filter(|seconds| *seconds > 0),
                "a number of seconds from 1 on",
                120,
            ),
            refused_work,
            refused_plans: if plans_elsewhere { refused_work } else { RefusedWork::AtCall },
            cache_limit: match variable("DISABLE_L2_CACHE")
                .is_some_and(|value| value.to_str().is_none_or(|text| !["", "0"].contains(&text.trim())))
            {
                true => 0,
                false => {
                    parsed(set("ACLNN_CACHE_LIMIT"), |text| text.parse().ok(), "a number from 0 on", 10_000)
                }
            },
        }
    }
}

/// The product of a SoC, and the SoC's name; a line of products stands for one of its models.
fn soc(name: &str) -> Option<(Product, CString)> {
    let model = match name {
        "Ascend910" => "Ascend910A",
        "Ascend310P" => "Ascend310P3",
        "Ascend910B" => "Ascend910B1",
        "Ascend910_93" => "Ascend910_9391",
        "Ascend950" => "Ascend950PR",
        model => model,
    };
    Some((Product::from_soc_name(model)?, CString::new(model).ok()?))
}

/// Reads `4096`, `512M`, `2G`; at least one page, at most a terabyte.
fn bytes(text: &str) -> Option<usize> {
    let (digits, shift) = match text.to_ascii_uppercase().as_bytes() {
        [.., b'K'] => (&text[..text.len() - 1], 10),
        [.., b'M'] => (&text[..text.len() - 1], 20),
        [.., b'G'] => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let count: usize = digits.parse().ok()?;
    count.checked_mul(1 << shift).filter(|bytes| (4096..=1 << 40).contains(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_of_the_table_is_known_and_a_misspelt_one_is_not() {
        let table = include_str!("settings.md")
            .split('|')
            .filter_map(|cell| cell.trim().strip_prefix("`CANN_STUBS_"));
        let listed: std::collections::BTreeSet<_> = table.filter_map(|cell| cell.strip_suffix('`')).collect();
        assert_eq!(listed, NAMES.into());
        assert!(is_unknown("CANN_STUBS_PRODUCT") && is_unknown("CANN_STUBS_"));
        assert!(!is_unknown("CANN_STUBS_SOC") && !is_unknown("ACLNN_BACKEND"));
    }

    #[test]
    fn a_value_that_is_not_understood_is_told_with_what_is() {
        use std::os::unix::ffi::OsStrExt;

        let told =
            misunderstood("CANN_STUBS_CHECK", OsStr::new("strict"), &one_of(["off", "error", "abort"]));
        assert_eq!(
            told,
            "CANN_STUBS_CHECK=strict is not understood, and the default is used; it may be off, error or abort"
        );
        let told = misunderstood("CANN_STUBS_CHECK", OsStr::from_bytes(b"ab\xffort"), &"off");
        assert!(told.starts_with("CANN_STUBS_CHECK=ab\u{fffd}ort is not text"), "{told}");
        assert_eq!(one_of(["off"]), "off");
    }

    #[test]
    fn a_soc_is_called_as_it_was_set() {
        let named = |name: &str| {
            let settings = Settings::from_variables(|asked| (asked == "CANN_STUBS_SOC").then(|| name.into()));
            (settings.product, settings.soc_name.into_string().unwrap())
        };
        for (name, product) in [
            ("Ascend910A", Product::Ascend910),
            ("Ascend910ProB", Product::Ascend910),
            ("Ascend310P1", Product::Ascend310P),
            ("Ascend910B1", Product::Ascend910B),
            ("Ascend910B2", Product::Ascend910B),
            ("Ascend910B2C", Product::Ascend910B),
            ("Ascend910B3", Product::Ascend910B),
            ("Ascend910B4", Product::Ascend910B),
            ("Ascend910_9392", Product::Ascend910B),
            ("Ascend950DT", Product::Ascend950),
        ] {
            assert_eq!(named(name), (product, name.to_owned()));
            assert_eq!(named(&format!(" {name}\n")), (product, name.to_owned()));
        }
        for line in ["Ascend910", "Ascend310P", "Ascend910B", "Ascend910_93", "Ascend950"] {
            let (product, model) = named(line);
            assert!(model.len() > line.len() && model.starts_with(line), "{line}: {model}");
            assert_eq!(Some(product), Product::from_soc_name(line));
        }
        assert_eq!(named("H100"), (Product::Ascend910B, "Ascend910B1".to_owned()));
    }

    #[test]
    fn defaults_suffixes_and_nonsense() {
        let default = Settings::from_variables(|_| None);
        assert_eq!((default.product, default.release), (Product::Ascend910B, Release::LATEST));
        assert_eq!((default.devices, default.memory, default.streams), (1, 32 << 30, Mode::Lazy));
        let set = |name: &str| {
            let text = match name {
                "CANN_STUBS_SOC" => "Ascend950",
                "CANN_STUBS_VERSION" => " 8.5 ",
                "CANN_STUBS_DEVICES" => "4",
                "CANN_STUBS_STREAMS" => " deferred",
                _ => "512M",
            };
            Some(text.into())
        };
        let settings = Settings::from_variables(set);
        assert_eq!((settings.product, settings.release), (Product::Ascend950, Release::OLDEST));
        assert_eq!((settings.devices, settings.memory, settings.streams), (4, 512 << 20, Mode::Deferred));
        let nonsense = Settings::from_variables(|_| Some("many".into()));
        assert_eq!((nonsense.product, nonsense.release), (default.product, default.release));
        assert_eq!((nonsense.devices, nonsense.memory, nonsense.streams), (1, 32 << 30, Mode::Lazy));
        assert!(nonsense.faults.is_empty());
        let limit = |name: &'static str, text: &'static str| {
            Settings::from_variables(|asked| (asked == name).then(|| text.into())).cache_limit
        };
        assert_eq!((default.cache_limit, limit("ACLNN_CACHE_LIMIT", "7")), (10_000, 7));
        assert_eq!((limit("DISABLE_L2_CACHE", "1"), limit("DISABLE_L2_CACHE", "0")), (0, 10_000));
        assert_eq!(bytes("0"), None);
        assert_eq!(bytes("999999999999999999999G"), None);
    }
}
