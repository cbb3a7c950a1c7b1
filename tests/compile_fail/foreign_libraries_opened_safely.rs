//! Opening libraries runs code of theirs: who does it vouches for them.

use aclnn::sys::{Environment, Toolkit};
use std::path::Path;

fn main() {
    let environment = Environment::of_process();
    let _ = Toolkit::open(Path::new("/tmp"), &environment);
    let _ = Toolkit::find(&environment, None);
    let _ = Toolkit::find_with(&environment, None, |_| Ok(()));
}

// error[E0133]: call to unsafe function `sys::load::search::<impl Toolkit>::open` is unsafe and requires unsafe block
//   line 8: call to unsafe function
//   note: consult the function's documentation for information on how to avoid undefined behavior
// error[E0133]: call to unsafe function `sys::load::search::<impl Toolkit>::find` is unsafe and requires unsafe block
//   line 9: call to unsafe function
//   note: consult the function's documentation for information on how to avoid undefined behavior
// error[E0133]: call to unsafe function `sys::load::search::<impl Toolkit>::find_with` is unsafe and requires unsafe block
//   line 10: call to unsafe function
//   note: consult the function's documentation for information on how to avoid undefined behavior
