//! Steps of attention: `joined` joins results of parts, `delta` has states in the place of keys, and `floyd` is attention of
//! pairs.

mod delta;
mod floyd;
mod joined;

use super::phases::entry_points;

use delta::{delta_rule, delta_rule_by_states};
use floyd::{floyd_attention, floyd_attention_backward};
use joined::{join_parts, join_two_parts};

aclnn_sys::attention_steps_operators!(entry_points);
