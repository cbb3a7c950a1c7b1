//! Runs: inputs by place and by name, chosen outputs, outputs as inputs, threads, and what ends first.

use std::sync::Mutex;
use std::thread;

use ort::inputs;
use ort::memory::Allocator;
use ort::session::{OutputSelector, RunOptions};
use ort::value::{DynValue, Tensor, TensorRef};

use crate::support::*;

/// `sum = a + b`, `product = a * b`.
fn two_outputs() -> Vec<u8> {
    model(&Graph {
        nodes: vec![node("Add", &["a", "b"], &["sum"]), node("Mul", &["a", "b"], &["product"])],
        inputs: vec![value("a", F32, &["n"]), value("b", F32, &["n"])],
        outputs: vec![value("sum", F32, &["n"]), value("product", F32, &["n"])],
        ..Graph::default()
    })
}

fn numbers(value: &DynValue) -> Vec<f32> {
    value.try_extract_tensor::<f32>().unwrap().1.to_vec()
}

#[test]
fn inputs_are_given_by_place_and_by_name() {
    let mut session = session(&binary("Sub", F32, &["2", "2"]));
    let a = ndarray::arr2(&[[10.0f32, 20.0], [30.0, 40.0]]);
    let b = ndarray::arr2(&[[1.0f32, 2.0], [3.0, 4.0]]);
    let (a, b) = (TensorRef::from_array_view(&a).unwrap(), TensorRef::from_array_view(&b).unwrap());
    let expected = ndarray::arr2(&[[9.0f32, 18.0], [27.0, 36.0]]).into_dyn();
    let outputs = session.run(inputs![a.clone(), b.clone()]).unwrap();
    assert_eq!(outputs["y"].try_extract_array::<f32>().unwrap(), expected);
    drop(outputs);
    let outputs = session.run(inputs!["b" => b, "a" => a]).unwrap();
    assert_eq!(outputs["y"].try_extract_array::<f32>().unwrap(), expected);
}

#[test]
fn a_run_reads_what_its_inputs_are_now() {
    let mut session = session(&unary("Relu", F32, &["2"]));
    let mut input = Tensor::from_array(([2], vec![1.0f32, -1.0])).unwrap();
    assert_eq!(numbers(&session.run(inputs![&input]).unwrap()["y"]), [1.0, 0.0]);
    input.extract_tensor_mut().1.copy_from_slice(&[-2.0, 2.0]);
    assert_eq!(numbers(&session.run(inputs![&input]).unwrap()["y"]), [0.0, 2.0]);
}

#[test]
fn outputs_are_inputs_of_later_runs() {
    let mut session = session(&binary("Add", F32, &["3"]));
    let step = Tensor::from_array(([3], vec![1.0f32, 2.0, 3.0])).unwrap();
    let mut state = Tensor::from_array(([3], vec![0.0f32; 3])).unwrap().into_dyn();
    for round in 1..=4 {
        let mut outputs = session.run(inputs![&state, &step]).unwrap();
        let next = outputs.remove("y").unwrap();
        drop(outputs);
        state = next;
        // Some are read before they are given again, and what is read may be changed.
        if round == 2 {
            assert_eq!(numbers(&state), [2.0, 4.0, 6.0]);
            state.try_extract_tensor_mut::<f32>().unwrap().1[0] = 100.0;
        }
    }
    assert_eq!(numbers(&state), [102.0, 8.0, 12.0]);
}

#[test]
fn outputs_can_be_chosen_and_given() {
    let mut session = session(&two_outputs());
    let tensor = || Tensor::from_array(([2], vec![3.0f32, 4.0])).unwrap();
    let options = RunOptions::new().unwrap();
    let options = options.with_outputs(OutputSelector::no_default().with("product"));
    let outputs = session.run_with_options(inputs![tensor(), tensor()], &options).unwrap();
    assert_eq!((outputs.len(), numbers(&outputs["product"])), (1, vec![9.0, 16.0]));
    drop(outputs);
    let place = Tensor::<f32>::new(&Allocator::default(), [2_usize]).unwrap();
    let start = place.data_ptr();
    let options = RunOptions::new().unwrap().with_tag("a tag").unwrap();
    assert_eq!(options.tag().unwrap(), "a tag");
    let options =
        options.with_outputs(OutputSelector::default().without("product").preallocate("sum", place));
    let outputs = session.run_with_options(inputs![tensor(), tensor()], &options).unwrap();
    let (_, sum) = outputs["sum"].try_extract_tensor::<f32>().unwrap();
    assert_eq!((sum, sum.as_ptr().cast()), (&[6.0f32, 8.0][..], start));
}

#[test]
fn a_run_that_is_told_to_end_fails() {
    let mut session = session(&unary("Relu", F32, &["1"]));
    let input = Tensor::from_array(([1], vec![1.0f32])).unwrap();
    let options = RunOptions::new().unwrap();
    options.terminate().unwrap();
    let error = session.run_with_options(inputs![&input], &options).unwrap_err();
    assert_eq!(error.message(), "the run ends, since its options say so");
    options.unterminate().unwrap();
    assert!(session.run_with_options(inputs![&input], &options).is_ok());
}

#[test]
fn entries_of_a_run_are_kept() {
    environment();
    let mut options = RunOptions::new().unwrap();
    options.set("key", "value").unwrap();
    assert_eq!(options.get("key").as_deref(), Some("value"));
    assert_eq!(options.get("other"), None);
    options.disable_device_sync().unwrap();
    let mut session = session(&unary("Relu", F32, &["1"]));
    let input = Tensor::from_array(([1], vec![-1.0f32])).unwrap();
    assert_eq!(numbers(&session.run_with_options(inputs![input], &options).unwrap()["y"]), [0.0]);
}

#[test]
fn a_run_goes_on_beside_its_caller() {
    let mut session = session(&binary("Add", F32, &["n"]));
    let tensor = |count: usize| Tensor::from_array(([count], vec![1.5f32; count])).unwrap();
    let options = RunOptions::new().unwrap();
    let outputs = wait(session.run_async(inputs![tensor(1000), tensor(1000)], &options).unwrap()).unwrap();
    assert_eq!(numbers(&outputs["y"]), vec![3.0f32; 1000]);
    drop(outputs);
    let error = wait(session.run_async(inputs![tensor(2), tensor(3)], &options).unwrap()).unwrap_err();
    assert!(error.message().contains("shapes [2] and [3] do not broadcast"), "{}", error.message());
}

#[test]
fn threads_run_sessions_at_the_same_time() {
    let shared = Mutex::new(session(&binary("Add", F32, &["n"])));
    thread::scope(|scope| {
        for number in 0..4u8 {
            let shared = &shared;
            scope.spawn(move || {
                let mut own = session(&binary("Mul", F32, &["n"]));
                for count in 1..20usize {
                    let tensor = || Tensor::from_array(([count], vec![f32::from(number); count])).unwrap();
                    let outputs = own.run(inputs![tensor(), tensor()]).unwrap();
                    assert_eq!(numbers(&outputs["y"]), vec![f32::from(number * number); count]);
                    let mut shared = shared.lock().unwrap();
                    let outputs = shared.run(inputs![tensor(), tensor()]).unwrap();
                    assert_eq!(numbers(&outputs["y"]), vec![f32::from(number * 2); count]);
                }
            });
        }
    });
}

#[test]
fn outputs_outlive_their_session() {
    let mut session = session(&two_outputs());
    let tensor = || Tensor::from_array(([2], vec![3.0f32, 4.0])).unwrap();
    let mut outputs = session.run(inputs![tensor(), tensor()]).unwrap();
    let (sum, product) = (outputs.remove("sum").unwrap(), outputs.remove("product").unwrap());
    drop(outputs);
    let binding = session.create_binding().unwrap();
    drop(session);
    drop(binding);
    // One of them is read in another thread.
    let read = thread::spawn(move || numbers(&product)).join().unwrap();
    assert_eq!((numbers(&sum), read), (vec![6.0, 8.0], vec![9.0, 16.0]));
}
