//! Steps of attention: `joined` joins results of parts, `delta` has states in the place of keys, and `floyd` is attention of
//! pairs.

mod delta;
mod floyd;
mod joined;

use super::phases::entry_points;

use delta::*;
use floyd::*;
use joined::*;

aclnn_sys::attention_steps_operators!(entry_points);
