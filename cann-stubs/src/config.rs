//! Settings of the emulator, read once from the environment; `settings.md` lists them.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use aclnn_numerics::product::Product;

use crate::check::Level;
use crate::fault::{self, Rule};
use crate::release::Release;
use crate::runtime::Mode;

/// The settings of this process.
#[derive(Debug)]
pub(crate) struct Config {
    /// What the devices are.
    pub(crate) product: Product,
    /// Their model, as C reads it.
    pub(crate) soc_name: CString,
    /// Which CANN the emulator stands for.
    pub(crate) release: Release,
    pub(crate) devices: u32,
    /// Bytes of memory of each device.
    pub(crate) memory: usize,
    /// When queued work runs.
    pub(crate) streams: Mode,
    /// What happens to misuse.
    pub(crate) check: Level,
    /// Calls that fail.
    pub(crate) faults: Vec<Arc<Rule>>,
    /// Where what ran is written.
    pub(crate) trace: Option<PathBuf>,
    /// Plans that a thread keeps for identical calls.
    pub(crate) cache_limit: usize,
}

static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    for name in
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|name| is_unknown(name))
    {
        eprintln!("cann-stubs: {name} is no setting; {PREFIX}* are: {}", NAMES.join(" "));
    }
    Config::from_variables(|name| std::env::var(name).ok())
});

const PREFIX: &str = "CANN_STUBS_";
/// The settings, without the prefix.
const NAMES: [&str; 9] = ["SOC", "VERSION", "DEVICES", "MEMORY", "STREAMS", "CHECK", "FAIL", "TRACE", "SEED"];

/// A setting that was misspelt would else be left out without a word.
fn is_unknown(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|name| !NAMES.contains(&name))
}

/// The settings, read from the environment at the first call.
pub(crate) fn get() -> &'static Config {
    &CONFIG
}

impl Config {
    /// A value that cannot be read is reported on standard error and the default is used.
    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        fn parsed<T>(name: &str, text: Option<String>, parse: impl Fn(&str) -> Option<T>, default: T) -> T {
            let Some(text) = text else { return default };
            parse(text.trim()).unwrap_or_else(|| {
                eprintln!("cann-stubs: {name}={text} is not understood; using the default");
                default
            })
        }
        let seed = parsed("CANN_STUBS_SEED", variable("CANN_STUBS_SEED"), |text| text.parse().ok(), 0);
        let default_soc = (Product::Ascend910B, c"Ascend910B1".to_owned());
        let (product, soc_name) = parsed("CANN_STUBS_SOC", variable("CANN_STUBS_SOC"), soc, default_soc);
        Config {
            product,
            soc_name,
            release: parsed(
                "CANN_STUBS_VERSION",
                variable("CANN_STUBS_VERSION"),
                Release::parse,
                Release::LATEST,
            ),
            devices: parsed(
                "CANN_STUBS_DEVICES",
                variable("CANN_STUBS_DEVICES"),
                |text| text.parse().ok().filter(|count| (1..=64).contains(count)),
                1,
            ),
            memory: parsed("CANN_STUBS_MEMORY", variable("CANN_STUBS_MEMORY"), bytes, 32 << 30),
            streams: parsed("CANN_STUBS_STREAMS", variable("CANN_STUBS_STREAMS"), Mode::of_name, Mode::Lazy),
            check: parsed("CANN_STUBS_CHECK", variable("CANN_STUBS_CHECK"), Level::of_name, Level::Error),
            faults: parsed(
                "CANN_STUBS_FAIL",
                variable("CANN_STUBS_FAIL"),
                |text| fault::parse(text, seed),
                Vec::new(),
            ),
            trace: variable("CANN_STUBS_TRACE").filter(|path| !path.is_empty()).map(PathBuf::from),
            cache_limit: match variable("DISABLE_L2_CACHE")
                .is_some_and(|text| !["", "0"].contains(&text.trim()))
            {
                true => 0,
                false => parsed(
                    "ACLNN_CACHE_LIMIT",
                    variable("ACLNN_CACHE_LIMIT"),
                    |text| text.parse().ok(),
                    10_000,
                ),
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
    fn a_soc_is_called_as_it_was_set() {
        let named = |name: &str| {
            let config = Config::from_variables(|asked| (asked == "CANN_STUBS_SOC").then(|| name.to_owned()));
            (config.product, config.soc_name.into_string().unwrap())
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
        let default = Config::from_variables(|_| None);
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
            Some(text.to_owned())
        };
        let config = Config::from_variables(set);
        assert_eq!((config.product, config.release), (Product::Ascend950, Release::OLDEST));
        assert_eq!((config.devices, config.memory, config.streams), (4, 512 << 20, Mode::Deferred));
        let nonsense = Config::from_variables(|_| Some("many".to_owned()));
        assert_eq!((nonsense.product, nonsense.release), (default.product, default.release));
        assert_eq!((nonsense.devices, nonsense.memory, nonsense.streams), (1, 32 << 30, Mode::Lazy));
        assert!(nonsense.faults.is_empty());
        let limit = |name: &'static str, text: &'static str| {
            Config::from_variables(|asked| (asked == name).then(|| text.to_owned())).cache_limit
        };
        assert_eq!((default.cache_limit, limit("ACLNN_CACHE_LIMIT", "7")), (10_000, 7));
        assert_eq!((limit("DISABLE_L2_CACHE", "1"), limit("DISABLE_L2_CACHE", "0")), (0, 10_000));
        assert_eq!(bytes("0"), None);
        assert_eq!(bytes("999999999999999999999G"), None);
    }
}
