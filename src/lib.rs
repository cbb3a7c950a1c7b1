//! Safe operators of Ascend NPUs.
