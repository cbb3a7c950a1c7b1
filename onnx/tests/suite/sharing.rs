//! Sessions and threads: two sessions on one device, one session in several threads.

use std::thread;

use crate::support::{Example, device};

#[test]
fn two_sessions_in_two_threads() {
    let device = device();
    let examples = [Example::of("bert_script"), Example::of("decoder_dynamo")];
    let sessions = examples.each_ref().map(|example| example.model.session(&device).unwrap());
    thread::scope(|scope| {
        for (example, session) in examples.iter().zip(&sessions) {
            scope.spawn(move || {
                for _ in 0..5 {
                    assert_eq!(example.failure(session), None);
                }
            });
        }
    });
}

/// Each thread begins with another set of shapes, so that they learn at the same time.
#[test]
fn one_session_in_four_threads() {
    let device = device();
    let example = Example::of("decoder_script");
    let session = example.model.session(&device).unwrap();
    let (example, session) = (&example, &session);
    thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                for round in 0..8 {
                    let set = (number + round) % example.sets.len();
                    let wrong = example.try_set(session, set).unwrap();
                    assert_eq!(wrong, None, "thread {number}, round {round}");
                }
            });
        }
    });
    assert_eq!(example.failure(session), None);
}

/// Outputs of a run are inputs of the next one, and stay right while it runs.
#[test]
fn outputs_outlive_later_runs() {
    let device = device();
    let example = Example::of("resnet_script");
    let session = example.model.session(&device).unwrap();
    let first = session.run(example.inputs(0, &device).unwrap()).unwrap();
    for set in [1, 0, 1] {
        assert_eq!(example.try_set(&session, set).unwrap(), None);
    }
    assert_eq!(example.wrong(0, &first).unwrap(), None);
}
