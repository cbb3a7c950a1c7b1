//! Recurrent networks: `cells` has single cells, `layers` whole networks, whose plan `network` makes for them and for the
//! operators that are called by name.

mod cells;
mod layers;
pub(super) mod network;

use cells::*;
use layers::*;

use super::phases::entry_points;

aclnn_sys::recurrent_operators!(entry_points);
