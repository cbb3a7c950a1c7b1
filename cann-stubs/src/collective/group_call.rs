//! `HcclGroupStart` and `HcclGroupEnd`, which no header of ours declares.
//!
//! They have no parameters. Messages of a communicator between the two are queued at the end as one batch, on the first
//! stream that is named, so that none waits for another; collectives between them are queued at once, as they never wait
//! where they are called. Messages of a communicator that are called partly inside and partly outside of a capture are refused,
//! and so is an end on the other side of its begin or end: what a device does then is not known.

use aclnn_sys::HcclResult;

use super::outcome::Result;
use super::queue::{begin_together, end_together};
use crate::entry;
use crate::surface::{EntryPoint, Support};

macro_rules! without_parameters {
    ($($name:ident: $body:expr;)*) => {
        $(
            #[allow(non_snake_case)]
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            extern "C" fn $name() -> HcclResult {
                entry::call(stringify!($name), &mut $body)
            }
        )*

        pub(super) const SYMBOLS: &[EntryPoint] = &[$(
            // SAFETY: it reads no arguments.
            unsafe { EntryPoint::new(stringify!($name), $name as *const (), Support::Works) }
        ),*];
    };
}

fn begin() -> Result {
    begin_together();
    Ok(())
}

without_parameters! {
    HcclGroupStart: begin;
    HcclGroupEnd: end_together;
}
