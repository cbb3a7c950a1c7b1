//! The devices, and a value for each of them.

use std::sync::OnceLock;

use crate::runtime::code;
use crate::settings;
use crate::status::{Result, Status};

/// How many devices there are; they are numbered from 0 on.
pub(crate) fn count() -> u32 {
    settings::get().devices
}

/// The numbers of all devices.
pub(crate) fn all() -> impl Iterator<Item = i32> {
    (0..).take(count() as usize)
}

/// Returns whether no number is there twice. It compares each with all others.
pub(crate) fn are_distinct<T: PartialEq>(numbers: &[T]) -> bool {
    numbers.iter().enumerate().all(|(index, number)| !numbers[..index].contains(number))
}

/// Refuses the number of a device that does not exist.
pub(crate) fn must_exist(device: i32) -> Result {
    match u32::try_from(device) {
        Ok(number) if number < count() => Ok(()),
        _ => Err(unknown(device)),
    }
}

fn unknown(device: i32) -> Status {
    let count = count();
    let message =
        format!("there is no device {device}; emulated devices: {count}, as CANN_STUBS_DEVICES sets it");
    Status::new(code::INVALID_DEVICEID, message)
}

/// A value for each device, made at the first use of one of them.
pub(crate) struct PerDevice<T> {
    make: fn() -> T,
    values: OnceLock<Box<[T]>>,
}

impl<T> PerDevice<T> {
    pub(crate) const fn new(make: fn() -> T) -> Self {
        PerDevice { make, values: OnceLock::new() }
    }

    /// The values, by the numbers of the devices.
    pub(crate) fn values(&self) -> &[T] {
        self.values.get_or_init(|| (0..count()).map(|_| (self.make)()).collect())
    }

    /// The value of a device. Fails when the device does not exist.
    pub(crate) fn of(&self, device: i32) -> Result<&T> {
        let found = usize::try_from(device).ok().and_then(|index| self.values().get(index));
        found.ok_or_else(|| unknown(device))
    }

    /// Every device and its value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, &T)> + Clone {
        (0..).zip(self.values())
    }
}
