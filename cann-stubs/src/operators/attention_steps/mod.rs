//! Steps of attention: `joined` joins results of parts, `delta` has states in the place of keys, and `by_way` is attention of
//! pairs.

mod by_way;
mod delta;
mod joined;

use super::phases::entry_points;

use by_way::{attention_by_way, attention_by_way_backward};
use delta::{delta_rule, delta_rule_by_states};
use joined::{join_parts, join_two_parts};

aclnn_sys::attention_steps_operators!(entry_points);
