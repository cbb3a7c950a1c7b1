//! Attention, its gradients, its caches, and the rotation of its operands by their positions.
//!
//! `layout` says in which order axes are, `options` what an operation is made of, `forward` and `backward` compute it,
//! `paged` computes it over the blocks of a cache, `infer` launches the operator that both use, `rotary` rotates operands, and
//! `latent` writes the caches of latent attention.

mod backward;
mod forward;
mod infer;
mod latent;
mod layout;
mod options;
mod paged;
mod rotary;

pub use backward::AttentionGradients;
pub use forward::AttentionOutputs;
pub use latent::{LatentKeys, latent_keys};
pub use layout::HeadLayout;
pub use options::{Attention, attention};
pub use paged::{PagedCache, PagedSizes, PagedStep, SequenceId};
pub use rotary::{Rotation, RotationGradients, rotary_by_positions, rotary_embedding_backward};
