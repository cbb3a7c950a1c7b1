//! Collectives: what the devices of a group do together, in one process, in several, and on several hosts.
//!
//! A group has a fixed number of ranks, each a device with a [`Communicator`]. Every rank calls the same collectives in the
//! same order, on tensors of the same type and of shapes that fit. [The page about them](crate::topics::collectives)
//! explains ranks, streams and failures.
//!
//! ```
//! # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
//! #     // SAFETY: no other thread of this program runs yet.
//! #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
//! # }
//! use aclnn::collective::{Communicator, ReduceOp};
//! use aclnn::{Device, Tensor};
//!
//! let devices = Device::all()?;
//! let group = Communicator::init_all(&devices)?;
//! let mut sums = Vec::new();
//! for (rank, communicator) in group.iter().enumerate() {
//!     let x = Tensor::from_slice(communicator.device(), &[rank as f32, 1.0], [2])?;
//!     sums.push(communicator.all_reduce(&x, ReduceOp::Sum)?); // queued, as everything else
//! }
//! for sum in &sums {
//!     assert_eq!(sum.to_vec::<f32>()?, [1.0, 2.0]); // waits for all ranks
//! }
//! # Ok::<(), aclnn::Error>(())
//! ```

// `communicator` is a rank of a group, made by an `id` and `options`. `reductions`, `movements`, `uneven`, `messages` and `batch`
// check what is called, by `elements` and `parts`, and `work` queues it. `launch` and `rendezvous` find the ranks of a program.
mod batch;
mod communicator;
mod elements;
mod id;
mod launch;
mod messages;
mod movements;
mod options;
mod parts;
mod reductions;
mod rendezvous;
mod uneven;
mod work;

pub use batch::Batch;
pub use communicator::Communicator;
pub use elements::ReduceOp;
pub use id::Id;
pub use launch::{Launch, Launcher};
pub use options::Options;
