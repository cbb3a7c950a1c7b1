//! [`Options`]: settings of a communicator, in the structure of the release that serves.

use std::ffi::c_char;
use std::time::Duration;

use aclnn_sys::{
    HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_NOT_SET, HCCL_COMM_NAME_MAX_LENGTH, HcclCommConfig,
};

use crate::error::{Error, Operands, Result};

/// The versions of the structure, and the bytes that each has. Those of a version are the first of the next one.
const VERSIONS: [(u32, usize); 4] = [(2, 160), (5, 300), (6, 312), (10, 2232)];

/// The version that is the first with a time limit.
const WITH_TIMEOUT: u32 = 10;

/// Settings of a communicator, by [`Communicator::options`](super::Communicator::options). What is not set is left to the library, and to its variables.
///
/// The structure of HCCL has grown from release to release. It is passed in the version that the release of the runtime is sure to
/// have: the one of CANN 8.0, of 8.5, or of 9.0 and later. If `HcclGetCommConfigCapability` returns a lower number, that counts.
/// All this is untested on devices.
///
/// ```
/// use std::time::Duration;
/// use aclnn::{Device, collective::{Communicator, Id}};
///
/// let device = Device::open(0)?;
/// let id = Id::new(&device)?;
/// let options = Communicator::options().name("train").timeout(Duration::from_secs(60)).deterministic(true);
/// let communicator = options.init(&device, &id, 0, 1)?; // a group of one rank
/// assert_eq!(communicator.name(), "train");
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(alias = "HcclCommConfig")]
pub struct Options {
    name: Option<String>,
    buffer: Option<u32>,
    timeout: Option<Duration>,
    deterministic: Option<bool>,
}

/// Returns the error for a group that cannot be made.
#[inline]
pub(super) fn no_group(reason: String) -> Error {
    Error::Argument { operator: "Communicator::init", operands: Operands::new([]), reason }
}

impl Options {
    /// Sets the name of the group, which messages show: 1 to 127 bytes, none of them 0. All ranks give the same name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the size of the buffer of communication, in MiB. The emulator has a buffer of its own.
    #[inline]
    pub fn buffer_mib(mut self, mib: u32) -> Self {
        self.buffer = Some(mib);
        self
    }

    /// Sets how long a rank waits for the others, in whole seconds, of which there is at least one; joining waits as long,
    /// too, on the emulator. Needs CANN 9.0.
    #[inline]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets whether the same elements always give the same results, whatever arrives first. The emulator combines them in
    /// the order of the ranks in any case.
    #[inline]
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.deterministic = Some(deterministic);
        self
    }

    #[inline]
    fn is_empty(&self) -> bool {
        *self == Options::default()
    }

    /// Returns the settings for a library that knows a version of the structure; `None` if nothing is set.
    pub(super) fn config(
        &self,
        version: impl FnOnce() -> Result<u32>,
    ) -> Result<Option<Box<HcclCommConfig>>> {
        if self.is_empty() {
            return Ok(None);
        }
        let known = version()?;
        let chosen = VERSIONS.iter().rev().find(|(version, _)| *version <= known);
        let &(version, size) = chosen.ok_or_else(|| {
            no_group(format!("the library takes no settings (version {known}); they need CANN 8.0"))
        })?;
        // SAFETY: numbers and bytes alone, for which zeros are valid.
        let mut config: Box<HcclCommConfig> = Box::new(unsafe { std::mem::zeroed() });
        config.size = size;
        config.magicWord = HCCL_COMM_CONFIG_MAGIC_WORD;
        config.version = version;
        for place in [
            &mut config.hcclBufferSize,
            &mut config.hcclDeterministic,
            &mut config.hcclRdmaTrafficClass,
            &mut config.hcclRdmaServiceLevel,
            &mut config.hcclQos,
        ] {
            *place = HCCL_COMM_CONFIG_NOT_SET;
        }
        config.hcclExecTimeOut = -1;
        if let Some(mib) = self.buffer {
            if [0, HCCL_COMM_CONFIG_NOT_SET].contains(&mib) {
                return Err(no_group(format!("a buffer of {mib} MiB is none; choose another size")));
            }
            config.hcclBufferSize = mib;
        }
        if let Some(deterministic) = self.deterministic {
            config.hcclDeterministic = deterministic.into();
        }
        if let Some(name) = &self.name {
            let bytes = name.as_bytes();
            if bytes.is_empty() || bytes.len() >= HCCL_COMM_NAME_MAX_LENGTH || bytes.contains(&0) {
                return Err(no_group(format!(
                    "the name {name:?} has {} bytes; it must have 1 to {}, none of them 0",
                    bytes.len(),
                    HCCL_COMM_NAME_MAX_LENGTH - 1
                )));
            }
            for (place, byte) in config.hcclCommName.iter_mut().zip(bytes) {
                *place = c_char::from_ne_bytes([*byte]);
            }
        }
        if let Some(timeout) = self.timeout {
            if version < WITH_TIMEOUT {
                let reason = format!(
                    "the settings of this library (version {version}) have no time limit, which needs CANN 9.0"
                );
                return Err(no_group(reason));
            }
            let seconds = i32::try_from(timeout.as_secs()).ok().filter(|&seconds| seconds > 0);
            let reason =
                || format!("a time limit of {timeout:?} is out of range; it is whole seconds, at least one");
            config.hcclExecTimeOut = seconds.ok_or_else(|| no_group(reason()))?;
        }
        Ok(Some(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_the_size_of_the_version_that_the_library_knows() -> Result<()> {
        let options = Options::default().name("a").buffer_mib(64);
        let of = |version| {
            let config = options.config(|| Ok(version));
            config.map(|config| config.map(|config| (config.version, config.size, config.hcclBufferSize)))
        };
        for (known, version, size) in
            [(2, 2, 160), (4, 2, 160), (5, 5, 300), (6, 6, 312), (9, 6, 312), (10, 10, 2232), (11, 10, 2232)]
        {
            assert_eq!(of(known)?, Some((version, size, 64)), "{known}");
        }
        assert!(of(1).is_err());
        assert_eq!(Options::default().config(|| Ok(1))?, None);
        let limited = Options::default().timeout(Duration::from_secs(7));
        assert_eq!(limited.config(|| Ok(10))?.map(|config| config.hcclExecTimeOut), Some(7));
        assert!(limited.config(|| Ok(6)).is_err_and(|error| error.to_string().contains("CANN 9.0")));
        assert!(Options::default().timeout(Duration::from_millis(10)).config(|| Ok(10)).is_err());
        for name in [String::new(), "a\0b".to_owned(), "a".repeat(128)] {
            assert!(Options::default().name(name).config(|| Ok(10)).is_err());
        }
        Ok(())
    }
}
