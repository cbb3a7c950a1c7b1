//! Every test stands in the program that gives it what it needs of its process. One that does not would disturb others now
//! and then.

use std::fs;
use std::path::Path;

/// Calls `visit` with each test of a program: its attributes, and its name with its body.
fn tests_of(program: &str, visit: &mut impl FnMut(&str, &str)) {
    fn files(directory: &Path, visit: &mut impl FnMut(&str)) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, visit),
                false => visit(&fs::read_to_string(path).unwrap()),
            }
        }
    }
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(program), &mut |text| {
        for test in text.split("\n#[test]\n").skip(1) {
            let (attributes, rest) = test.split_once("fn ").unwrap();
            visit(attributes, rest.split("\n}\n").next().unwrap());
        }
    });
}

#[test]
fn tests_of_what_the_process_shares_are_serial() {
    let mut count = 0;
    tests_of("serial", &mut |attributes, body| {
        assert!(attributes.contains("#[serial]"), "runs beside others: {body}");
        count += 1;
    });
    assert!(count > 100, "{count} tests");
}

/// Others would run beside it all the same.
#[test]
fn no_test_that_runs_beside_others_is_serial() {
    let mut count = 0;
    tests_of("shared", &mut |attributes, body| {
        assert!(!attributes.contains("serial"), "belongs to the program `serial`: {body}");
        count += 1;
    });
    assert!(count > 20, "{count} tests");
}

#[test]
fn tests_that_need_a_process_of_their_own_start_themselves() {
    let mut count = 0;
    tests_of("own_process", &mut |_, body| {
        assert!(body.contains("this_test!()"), "starts no process: {body}");
        count += 1;
    });
    assert!(count > 50, "{count} tests");
}
