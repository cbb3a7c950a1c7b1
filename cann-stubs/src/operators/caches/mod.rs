//! Rows of keys and values on their way to a cache: `normed` normalises them, `rotated` quantises what it rotates, `latent`
//! makes them of tokens, `scattered` quantises along an axis, and `written_cache` has what they share: the caches and the
//! steps of what is written there.
//!
//! A *rotary embedding* rotates pairs of elements of a row by angles that grow with the place of its token. The *rope part* of a row is
//! the elements that are rotated; the rest has no place.

mod latent;
mod normed;
mod rotated;
mod scattered;
mod written_cache;

use super::phases::entry_points;

use latent::*;
use normed::*;
use rotated::*;
use scattered::*;

aclnn_sys::caches_operators!(entry_points);
