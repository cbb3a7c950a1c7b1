//! Training and inference of networks beside products: attention, losses, cells of recurrent layers, optimizer steps,
//! adapters, residual streams, lists of tensors.

pub mod adapters;
pub mod attention;
pub mod experts;
pub mod foreach;
pub mod loss;
pub mod optimizer;
pub mod recurrent;
pub mod streams;
