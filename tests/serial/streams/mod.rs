//! Order between streams, memory that returns in order, and handles dropped in any order.

mod ends;
mod events;
mod failed;
mod order;

use aclnn::Error;

type Outcome = Result<(), Error>;
