//! Settings of the emulator, read once from the environment; `settings.md` lists them.

use std::sync::LazyLock;

use aclnn_numerics::product::Product;

use crate::release::Release;

/// The settings of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    /// What the devices are.
    pub(crate) product: Product,
    /// Which CANN the emulator stands for.
    pub(crate) release: Release,
    pub(crate) devices: u32,
    /// Bytes of memory of each device.
    pub(crate) memory: usize,
}

static CONFIG: LazyLock<Config> = LazyLock::new(|| Config::from_variables(|name| std::env::var(name).ok()));

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
        Config {
            product: parsed(
                "CANN_STUBS_SOC",
                variable("CANN_STUBS_SOC"),
                Product::from_soc_name,
                Product::Ascend910B,
            ),
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
        }
    }
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

    fn default() -> Config {
        Config { product: Product::Ascend910B, release: Release::LATEST, devices: 1, memory: 32 << 30 }
    }

    #[test]
    fn defaults_suffixes_and_nonsense() {
        assert_eq!(Config::from_variables(|_| None), default());
        let set = |name: &str| {
            let text = match name {
                "CANN_STUBS_SOC" => "Ascend950",
                "CANN_STUBS_VERSION" => " 8.5 ",
                "CANN_STUBS_DEVICES" => "4",
                _ => "512M",
            };
            Some(text.to_owned())
        };
        let product = Product::Ascend950;
        assert_eq!(
            Config::from_variables(set),
            Config { product, release: Release::OLDEST, devices: 4, memory: 512 << 20 }
        );
        assert_eq!(Config::from_variables(|_| Some("many".to_owned())), default());
        assert_eq!(bytes("0"), None);
        assert_eq!(bytes("999999999999999999999G"), None);
    }
}
