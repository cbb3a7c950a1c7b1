//! Ranks that train together have the losses of one rank, and a rank that fails ends all.

use std::error::Error;
use std::process::{Command, Output};

type Outcome = Result<(), Box<dyn Error>>;

/// Runs the example without the variables of a launcher that may have started this test.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> std::io::Result<Output> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_example-16-data-parallel"));
    for name in [
        "RANK",
        "WORLD_SIZE",
        "OMPI_COMM_WORLD_RANK",
        "PMI_RANK",
        "SLURM_STEP_NUM_TASKS",
        "CANN_STUBS_DEVICES",
    ] {
        program.env_remove(name);
    }
    program.args(arguments).envs(variables.iter().copied()).env("ACLNN_BACKEND", "emulator").output()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn two_ranks_print_what_is_written() -> Outcome {
    let run = run(&[], &[])?;
    assert!(run.status.success(), "{}", text(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String =
        expected.lines().map(|line| line.trim_start_matches("// ").to_owned() + "\n").collect();
    assert_eq!(text(&run.stdout), expected);
    Ok(())
}

#[test]
fn four_ranks_have_the_losses_of_one() -> Outcome {
    let run = run(&["--ranks", "4", "--epochs", "1"], &[])?;
    assert!(run.status.success(), "{}", text(&run.stderr));
    let printed = text(&run.stdout);
    let lines: Vec<_> = printed.lines().collect();
    assert!(lines[0].starts_with("ranks: 4, steps: 22, "), "{printed}");
    assert_eq!(
        lines[2..],
        [
            "1 rank, 4 parts in turn: the same losses, bit for bit: true",
            "1 rank, whole batches: the same losses within 0.01: true"
        ]
    );
    Ok(())
}

#[test]
fn a_rank_that_fails_ends_all_with_its_message() -> Outcome {
    // The last rank has no device, and the others wait for it.
    let run = run(&["--ranks", "4"], &[("CANN_STUBS_DEVICES", "3")])?;
    let printed = text(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{printed}");
    assert!(printed.contains("[rank 3] ") && printed.contains("rank 3 failed (exit status: 1)"), "{printed}");
    assert_eq!(text(&run.stdout), "");
    Ok(())
}

#[test]
fn what_the_command_line_or_a_launcher_says_wrong_is_told() -> Outcome {
    for (arguments, variables, expected) in [
        (&["--ranks", "0"][..], &[][..], "--ranks 0: it has to be a number from 1\n"),
        (&["--rank", "2"], &[], "--rank is none of --ranks, --parts, --epochs, --losses\n"),
        (&[], &[("RANK", "x"), ("WORLD_SIZE", "2")], "RANK=x: it has to be a number from 0\n"),
        (
            &[],
            &[("RANK", "0"), ("WORLD_SIZE", "3"), ("LOCAL_RANK", "0")],
            "[rank 0] 3 ranks cannot share batches of 64 in 3 equal parts: take a number of parts that divides 64, and a \
             number of ranks that divides it\n",
        ),
        // Before any rank is started.
        (
            &["--ranks", "3"],
            &[],
            "3 ranks cannot share batches of 64 in 3 equal parts: take a number of parts that divides 64, and a number of \
             ranks that divides it\n",
        ),
        (
            &["--ranks", "2"],
            &[("RANK", "0"), ("WORLD_SIZE", "2"), ("LOCAL_RANK", "0")],
            "a launcher has started 2 ranks; leave out --ranks\n",
        ),
    ] {
        let run = run(arguments, variables)?;
        assert_eq!((run.status.code(), text(&run.stderr).as_str()), (Some(1), expected));
    }
    Ok(())
}
