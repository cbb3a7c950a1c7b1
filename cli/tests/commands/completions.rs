//! `aclnn completions`.

use crate::shell::Shell;

#[test]
fn every_shell_completes_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let printed = Shell::new().run(&format!("aclnn completions {shell}"));
        assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
        for word in ["info", "completions", "json"] {
            assert!(printed.out.contains(word), "{shell} does not complete {word}");
        }
    }
    Shell::new().run("aclnn completions cmd").is("completions/unknown_shell");
}
