//! Rows of keys and values on their way to a cache: `normed` normalises them, `turned` quantises what it turns, `latent` makes them
//! of tokens, `scattered` quantises along an axis, and `room` has what they share: the caches and the steps of what is written there.
//!
//! A *rotary embedding* turns pairs of elements of a row by angles that grow with the place of its token. The *rope part* of a row is
//! the elements that are turned; the rest has no place.

mod latent;
mod normed;
mod room;
mod scattered;
mod turned;

use super::phases::entry_points;

use latent::latent_queries;
use normed::{norm_rope_cache, norm_rope_heads_cache};
use scattered::quantised_scatter;
use turned::dequantised_rope_cache;

aclnn_sys::caches_operators!(entry_points);
