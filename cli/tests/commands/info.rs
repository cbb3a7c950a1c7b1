//! `aclnn info`.

use crate::shell::Shell;

#[test]
fn what_serves_is_told_on_one_screen() {
    Shell::new().run("aclnn info").is("info/emulator");
}
