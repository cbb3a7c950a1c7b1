//! The root information: by which the ranks of a group find the memory that they share.
//!
//! It names a file without a name in the process that made it, and a secret that this file holds. Only processes of the same
//! user can open the file.

use std::ffi::c_char;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aclnn_sys::{HCCL_E_NOT_FOUND, HCCL_E_SYSCALL, HcclRootInfo};

use super::outcome::{Result, failed, refused};
use super::process;
use super::segment;
use crate::small_map::SmallMap;
use crate::status::Status;

/// The files of groups whose ranks have not all joined, by their secrets.
static FILES: Mutex<SmallMap<Secret, OwnedFd>> = Mutex::new(SmallMap::new());

pub(super) type Secret = [u64; 2];

/// The beginning of the bytes; the last letter is that of their version.
const MARK: &[u8; 16] = b"cann-stubs root1";

fn files() -> MutexGuard<'static, SmallMap<Secret, OwnedFd>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The root information as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Root {
    pub(super) secret: Secret,
    pub(super) process: u32,
    started: u64,
    descriptor: u32,
}

fn random() -> Result<Secret> {
    let mut bytes = [0; 16];
    let read = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    read.map_err(|error| failed(HCCL_E_SYSCALL, format_args!("the host gives no random numbers: {error}")))?;
    let (high, low) = bytes.split_at(8);
    Ok([high, low].map(|half| half.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))))
}

/// Makes the file of a new group, and what leads to it.
pub(super) fn make() -> Result<Root> {
    let (secret, file) = (random()?, segment::file()?);
    segment::with_head(&file, |head| {
        head.secret.iter().zip(secret).for_each(|(place, number)| place.store(number, Relaxed));
    })?;
    let descriptor = file.as_raw_fd().cast_unsigned();
    files().insert(secret, file);
    Ok(Root { secret, process: std::process::id(), started: process::own_start(), descriptor })
}

/// Makes the file of a group that needs no root information.
pub(super) fn file() -> Result<OwnedFd> {
    segment::file()
}

/// Forgets the files of groups that the ranks of this process have not joined.
pub(super) fn forget_all() {
    files().clear();
}

impl Root {
    /// Opens the file of the group.
    pub(super) fn open(&self) -> Result<OwnedFd> {
        let own = files().get(&self.secret).map(OwnedFd::try_clone);
        let opened = match own {
            Some(file) => file,
            None => {
                let path = format!("/proc/{}/fd/{}", self.process, self.descriptor);
                OpenOptions::new().read(true).write(true).open(path).map(OwnedFd::from)
            }
        };
        let gone = |why: String| {
            let process = self.process;
            let message =
                format_args!("process {process} does not have the group of this root information: {why}");
            failed(HCCL_E_NOT_FOUND, message)
        };
        if !process::lives(self.process, self.started) {
            return Err(gone("it has ended; it has to live until all ranks have joined".to_owned()));
        }
        let over = |found: String| {
            gone(format!(
                "all ranks have joined, one of them gave up, or it has finalised its runtime; call HcclGetRootInfo once for \
                 each group ({found})"
            ))
        };
        let file = opened.map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied => gone(format!("{error}; all ranks must be processes of one user")),
            _ => over(error.to_string()),
        })?;
        // Only a file without a name answers this; the number may be that of another file by now.
        rustix::fs::fcntl_get_seals(&file).map_err(|error| over(error.to_string()))?;
        let held = file.try_clone().map_err(|error| over(error.to_string()))?;
        let is_same = segment::with_head(&held, |head| {
            head.secret.iter().zip(self.secret).all(|(place, number)| place.load(Relaxed) == number)
        });
        match is_same {
            Ok(true) => Ok(file),
            _ => Err(over("its file is another one".to_owned())),
        }
    }

    /// Why ranks that have not joined never will, if the process that made this has ended.
    pub(super) fn gone(&self) -> Option<Status> {
        let told = || {
            let process = self.process;
            failed(
                HCCL_E_NOT_FOUND,
                format_args!("process {process}, which made the root information, has ended"),
            )
        };
        (!process::lives(self.process, self.started)).then(told)
    }

    /// Forgets the file, once all ranks have joined.
    pub(super) fn close(&self) {
        files().remove(&self.secret);
    }

    pub(super) fn write(&self) -> HcclRootInfo {
        let numbers = [
            self.secret[0],
            self.secret[1],
            self.started,
            u64::from(self.process),
            u64::from(self.descriptor),
        ];
        let bytes = MARK.iter().copied().chain(numbers.into_iter().flat_map(u64::to_le_bytes));
        let mut info = HcclRootInfo { internal: [0; 4108] };
        info.internal.iter_mut().zip(bytes).for_each(|(place, byte)| *place = c_char::from_ne_bytes([byte]));
        info
    }

    pub(super) fn read(info: &HcclRootInfo) -> Result<Self> {
        let bytes = info.internal.map(|byte| byte.to_ne_bytes()[0]);
        if !bytes.starts_with(MARK) {
            return refused(
                "the root information is not that of HcclGetRootInfo of this emulator, byte for byte",
            );
        }
        let mut numbers = bytes[MARK.len()..]
            .chunks(8)
            .map(|chunk| chunk.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte)));
        let mut next = || numbers.next().unwrap_or(0);
        let secret = [next(), next()];
        Ok(Root { secret, started: next(), process: next() as u32, descriptor: next() as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_a_changed_byte_is_noticed() {
        let root = make().unwrap();
        let mut info = root.write();
        assert_eq!(Root::read(&info).unwrap(), root);
        root.open().unwrap();
        info.internal[20] ^= 1;
        let other = Root::read(&info).unwrap();
        assert!(other.open().unwrap_err().message.contains("another one"));
        info.internal[0] ^= 1;
        assert!(Root::read(&info).is_err());
        root.close();
        assert!(root.open().is_err());
    }
}
