//! What training and inference of networks compute beside products: attention, losses, cells of recurrent layers, optimizer steps,
//! lists of tensors.

pub mod attention;
pub mod foreach;
pub mod loss;
pub mod optimizer;
pub mod recurrent;
