//! Parts of models between products, norms and attention.
//!
//! `softmax`, `choices` and `segments` work on rows, `packing` on bits and numbers of places, `adapters` on heads and rows with
//! weights of their own, and `gradients` sums what was repeated, `parts` what experts and devices made of parts; `channels` scales
//! and gathers statistics, and `streams` mixes residual streams. `tokens` prepares the next pass, `silent` looks for faults of the
//! last one, `codes` stores floats, `elements` and `gates` work on elements, and `vocabulary` on words.

mod adapters;
mod channels;
mod choices;
mod codes;
mod elements;
mod gates;
mod gradients;
mod packing;
mod parts;
mod segments;
mod silent;
mod softmax;
mod streams;
mod tokens;
mod vocabulary;

use adapters::*;
use channels::*;
use choices::*;
use codes::*;
use elements::*;
use gates::*;
use gradients::*;
use packing::*;
use parts::*;
use segments::*;
use silent::*;
pub(super) use softmax::Scores;
use softmax::*;
use streams::*;
use tokens::*;
use vocabulary::*;

use super::phases::entry_points;

aclnn_sys::models_operators!(entry_points);
