//! The kernels, phase two of the operators: what an operator does to the bytes of its tensors.
//!
//! A [`Kernel`] has views of device memory, the last of which are written, and does its work in stages, one after the other.
//! A stage uses some of the views (`operators/plan_builder.rs` puts them together) and is one of three:
//!
//! - a [`Body`] fills a piece of one output from the same elements of the inputs, and knows nothing of layouts, threads and
//!   caches (`engine/elements.rs`); with views of other strides and sizes, copies are movements as well;
//! - a [`LaneBody`] gets whole lanes, which are the elements along an axis or some, one after the other and in the types that
//!   it computes in, from each input and for each output (`engine/lanes.rs`);
//! - a [`Whole`] gets all operands and does what it likes.
//!
//! # How a kernel is added
//!
//! | what is new | where |
//! |---|---|
//! | a function of two elements of one type | a line of `operations!` in `functions/arithmetic.rs`; `Rules` in the emulator's `operators/arithmetic.rs` names it |
//! | a function of one element | a line of `functions!` in `functions/unary.rs` |
//! | a function with attributes, or of up to three tensors | a line of `functions!` in `functions/parametric.rs`: an attribute is an operand of one element |
//! | an exponential, a logarithm, an angle, or what is made of them | a function without branches in `functions/special/single.rs` for results in f32 that are computed in f64, or in `native.rs` for those that are computed in f32, and one in `double.rs` beside it; or one for `single` and `double` in `given_functions!` of `functions/special.rs` |
//! | a compute type | a line of `in_type` in `functions/arithmetic.rs`, which needs a `Number` |
//! | a pair of types that is converted in registers | a line of `pairs!` in `functions/fused/loops.rs`, a `Load` or `Store` in `fused/avx2.rs` and `fused/avx512.rs` if a type is new, and a line of `PAIRS` in the tests of `fused/mod.rs` |
//! | a function of 16-bit types that takes no longer than its conversions | also a line of `functions!` in `functions/halves.rs` |
//! | a function of two or more elements | a function that gives a loop, a [`Function`], for a compute type |
//! | numbers that no input has | a [`Body`] as in `engine/generate.rs` |
//! | work along an axis: a scan, a sort, a search | a [`LaneBody`]: [`LaneBody::lane`] alone, then [`LaneBody::panel`] for many short lanes |
//! | few lines for each lane, or for whole operands as one lane | a closure in a [`LaneFunction`] |
//! | what the lanes of a plan compute | a function of slices and plain numbers in the module of its family, which the closure of the plan calls: it is compiled for speed where plans are compiled for size |
//! | a loop that gains from vectors | `for_instructions!` of `views/instructions.rs` around the function, with loops instead of closures |
//! | a norm of rows or channels | a line of arithmetic in `axis/normalization/rows.rs`, which is compiled for every set of instructions |
//! | a loss of elements | a line of `terms!` in `networks/loss/functions.rs` |
//! | a step of an optimizer | a function of `networks/optimizer/`, which says its numbers, operands and results |
//! | a reduction | a `Reducer` in `axis/reduce/reducers.rs`, and a line of `axis/reduce/function.rs` |
//! | what depends on the order of elements | the unsigned keys of `sorting/keys.rs`, so that one kernel serves every type |
//! | elements found by indices | a `Grid` of the emulator's `operators/index/grid.rs` over the tensor that they number, for [`Gather`](indexing::index::Gather) or [`Scatter`](indexing::index::Scatter) |
//! | a reduction of elements that are found by indices | a method of `Number` in `indexing/index/loops.rs`, and a variant of `Reduction` |
//! | a movement | stages of copies between parts of the operands: `PlanBuilder::copy` |
//! | anything else, element by element | a [`Body`] in a file of its own: [`Body::block`] alone, then [`Body::whole`] if it can do without buffers, and [`Body::plane`] if it can do so with rows |
//! | anything else | a [`Whole`] |
//! | what one product computes in its own way | a function beside the other one, and a line of `operators/functions_by_product.rs` of the emulator |
//!
//! The rule of the operator, in the emulator's `operators/`, makes the body and returns `Plan::new`, which makes the kernel; a kernel of
//! several outputs or stages is put together by a `PlanBuilder` there.
//!
//! # What it gets for free
//!
//! - *Layouts* (`engine/order.rs`): blocks one after the other where every operand is contiguous; rows (`rows.rs`) where some are
//!   broadcast or strided, many at once for bodies that compute planes; tiles (`tiles.rs`), turned in registers
//!   (`transpose.rs`), where some are transposed. It is chosen once for a kernel. An input of which a row repeats one element is passed as that element: loops of two operands repeat it.
//! - *Conversions* (`engine/elementwise.rs`): an [`Elementwise`] converts its inputs and its result block by block, in buffers that
//!   stay in the first-level cache. No converted copy of a tensor ever exists.
//! - *Instructions* (`views/instructions.rs`): `arithmetic.rs` and `fused`, which are compiled for several sets, choose once for a
//!   plan, and functions in f32 for each block. Bits never depend on the choice, but for products of matrices and convolutions on processors without fused multiply-add; a test forces each with `control::loops`.
//! - *Threads* (`engine/share.rs`): large results are computed in parts, unless [`Body::is_sequential`].
//! - *Places*: a result is computed where it lies if it is contiguous and no input shares its memory. Where a kernel moves
//!   more than the caches hold, the result is written past the caches (`views/past_caches.rs`).
//! - *Lanes*: neighbouring lanes are gathered together, so that lanes across memory are turned in registers; a lane that lies
//!   in memory as it is computed is not copied, and lanes that are all the same are copied and converted once.
//! - *Overlap and tracking*: an input that overlaps the output in another layout is read before anything is written, and the
//!   checks know what a launch reads and writes.

// Its interface serves the emulator alone, and changes with it.
#![allow(missing_docs, clippy::len_without_is_empty, clippy::new_without_default)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `views`: the bytes of operands, and how they are found, moved and turned
// 2. `functions`: what happens to elements
// 3. `engine`: how the elements of operands are visited: in which order, by which threads, converted on the way
// 4. `axis`, `sorting`, `products`, `indexing`, `random`: work along an axis; the order of elements; matrices; elements found by
//    indices; random numbers
// 5. `images`, `networks`: what is made of those
pub mod axis;
mod engine;
pub mod functions;
pub mod images;
pub mod indexing;
pub mod networks;
pub mod products;
pub mod random;
pub mod sorting;
mod views;

pub use engine::elements::Body;
pub use engine::elementwise::{Elementwise, Scale, Source};
pub use engine::generate::{Accumulation, Constant, Sequence, linspace, logspace, progression};
pub use engine::kernel::{Copied, Kernel, Sizes, Stage, Whole};
pub use engine::lanes::{Lane, LaneBody, LaneFunction, Panel};
pub use engine::packed::Packed;
pub use engine::share::choose_threads;
pub use functions::function::{Function, Many};
pub use views::allocation;
pub use views::block::{Block, Conversions, Scratch, converter, size_of_dtype};
pub use views::bound::Bound;
pub use views::failure::{Cause, Failure, Result};
pub use views::instructions::{Choice, choose};
pub use views::memory::Memory;
pub use views::order_by::ordered;
pub use views::span::{Span, lies_apart, shares_elements};
pub use views::view::View;
