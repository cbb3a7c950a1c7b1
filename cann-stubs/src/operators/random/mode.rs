//! The order in which random numbers are drawn.

use aclnn_numerics::product::Product::Ascend950;

use crate::operators::axes::invalid;
use crate::operators::check::not_emulated;
use crate::operators::phases::alone;
use crate::settings;
use crate::status::Result;

/// The mode of a device that was told nothing, which is that of the emulator.
const COMPATIBLE: i32 = 0;

/// The mode in which the 950 draws the numbers that PyTorch draws on a GPU. Other products draw as before.
const PYTORCH: i32 = 1;

fn set(mode: i32) -> Result {
    match mode {
        PYTORCH if settings::get().product == Ascend950 => {
            not_emulated("random numbers in the order of PyTorch")
        }
        COMPATIBLE | PYTORCH => Ok(()),
        _ => invalid(format_args!("mode is {mode}, but must be {COMPATIBLE} or {PYTORCH}")),
    }
}

alone! {
    fn set_pytorch_random = "aclnnSetPytorchRandom" (mode: i32) by set;
}
