//! Opening libraries runs code of theirs: who does it vouches for them.

use aclnn::sys::{Environment, Toolkit};
use std::path::Path;

fn main() {
    let environment = Environment::of_process();
    let _ = Toolkit::open(Path::new("/tmp"), &environment);
    let _ = Toolkit::find(&environment, None);
    let _ = Toolkit::find_with(&environment, None, |_| Ok(()));
}
