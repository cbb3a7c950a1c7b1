//! Every test says what it needs of its process. One that does not would disturb others now and then.

use std::fs;
use std::path::Path;

use serial_test::parallel;

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
#[parallel]
fn tests_that_share_the_process_are_serial_or_parallel() {
    let mut count = 0;
    tests_of("shared", &mut |attributes, body| {
        let is_said = ["#[serial]", "#[parallel]"].iter().any(|one| attributes.contains(one));
        assert!(is_said, "neither `#[serial]` nor `#[parallel]`: {body}");
        count += 1;
    });
    assert!(count > 150, "{count} tests");
}

#[test]
#[parallel]
fn tests_that_need_a_process_of_their_own_start_themselves() {
    let mut count = 0;
    tests_of("alone", &mut |_, body| {
        assert!(body.contains("this_test!()"), "starts no process: {body}");
        count += 1;
    });
    assert!(count > 50, "{count} tests");
}
