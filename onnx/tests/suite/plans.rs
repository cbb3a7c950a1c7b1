//! Plans, and runs after the first one: what they compute again, and what they do not.

use aclnn_onnx::{Array, Device, Error, Model, Placement, Session, Shape, Tensor, Value};

use crate::support::device;
use crate::support::format::*;

fn tensor(device: &Device, values: &[f32], shape: impl Into<Shape>) -> Tensor {
    Tensor::from_slice(device, values, shape).unwrap()
}

fn session(device: &Device, graph: &[Vec<u8>]) -> Session {
    Model::from_bytes(model(graph)).unwrap().session(device).unwrap()
}

/// Returns the floats of an output.
fn run<V: Into<Value>>(session: &Session, inputs: impl IntoIterator<Item = (&'static str, V)>) -> Vec<f32> {
    session.run(inputs).unwrap().array("y").unwrap().to_vec().unwrap()
}

fn placement(session: &Session, label: &str) -> Placement {
    let plan = session.plan().unwrap();
    let node = plan.nodes().iter().find(|node| node.label().contains(label));
    node.unwrap_or_else(|| panic!("no {label} in {plan}")).placement().clone()
}

fn named(operator: &str, inputs: &[&str], outputs: &[&str]) -> Vec<u8> {
    node(operator, inputs, outputs, bytes(3, format!("the {operator}")))
}

/// Rows of `x` in one row: what the host computes of shapes is settled, and the rest is not.
fn flattened() -> Vec<Vec<u8>> {
    vec![
        named("Shape", &["x"], &["shape"]),
        named("ReduceProd", &["shape"], &["count"]),
        named("Abs", &["x"], &["positive"]),
        named("Reshape", &["positive", "count"], &["row"]),
        named("Relu", &["row"], &["y"]),
        open_port(11, "x", F32, 2),
        open_port(12, "y", F32, 1),
    ]
}

#[test]
fn what_depends_on_shapes_alone_is_computed_once() {
    let device = device();
    let session = session(&device, &flattened());
    for shape in [[2, 3], [3, 2], [2, 3], [1, 6]] {
        let x = tensor(&device, &[-1.0, 2.0, -3.0, 4.0, -5.0, 6.0], shape);
        assert_eq!(run(&session, [("x", &x)]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        for label in ["the Shape", "the ReduceProd"] {
            assert_eq!(placement(&session, label), Placement::Settled);
        }
        assert_eq!(placement(&session, "the Abs"), Placement::Device);
        assert_eq!(session.plan().unwrap().launches(), 2);
    }
}

#[test]
fn other_elements_of_the_same_shapes_give_other_results() {
    let device = device();
    let session = session(&device, &flattened());
    for start in 0..4 {
        let values: Vec<f32> = (start..start + 6).map(|value| value as f32).collect();
        assert_eq!(run(&session, [("x", &tensor(&device, &values, [2, 3]))]), values);
    }
}

/// Nine sets of shapes are one more than are kept.
#[test]
fn shapes_may_change_from_run_to_run() {
    let device = device();
    let session = session(&device, &flattened());
    for round in 0..2 {
        for rows in (1..=9).chain([1, 9, 5]) {
            let values: Vec<f32> = (0..2 * rows).map(|value| (value + round) as f32).collect();
            assert_eq!(run(&session, [("x", &tensor(&device, &values, [rows, 2]))]), values);
            let plan = session.plan().unwrap().to_string();
            assert!(plan.starts_with(&format!("For x f32[{rows}, 2]:")), "{plan}");
        }
    }
}

/// The number of elements that are not zero depends on them.
#[test]
fn shapes_that_depend_on_elements_are_computed_each_time() {
    let device = device();
    let session = session(
        &device,
        &[
            named("NonZero", &["x"], &["places"]),
            named("Shape", &["places"], &["shape"]),
            node("Cast", &["shape"], &["y"], attribute("to", 2, int(3, F32))),
            open_port(11, "x", F32, 1),
            open_port(12, "y", F32, 1),
        ],
    );
    for (values, count) in
        [([0.0, 1.0, 2.0], 2.0), ([1.0, 1.0, 2.0], 3.0), ([0.0; 3], 0.0), ([5.0, 0.0, 0.0], 1.0)]
    {
        assert_eq!(run(&session, [("x", &tensor(&device, &values, [3]))]), [1.0, count], "{values:?}");
    }
    assert_eq!(session.plan().unwrap().waits(), 1);
}

#[test]
fn shapes_that_an_input_says_are_computed_each_time() {
    let device = device();
    let session = session(
        &device,
        &[
            named("Reshape", &["x", "shape"], &["reshaped"]),
            named("Shape", &["reshaped"], &["of_it"]),
            node("Cast", &["of_it"], &["y"], attribute("to", 2, int(3, F32))),
            open_port(11, "x", F32, 1),
            open_port(11, "shape", I64, 1),
            open_port(12, "y", F32, 1),
        ],
    );
    let x = Value::from(tensor(&device, &[0.0; 6], [6]));
    for shape in [[2i64, 3], [3, 2], [-1, 1]] {
        let expected = [if shape[0] < 0 { 6.0 } else { shape[0] as f32 }, shape[1] as f32];
        let known = Value::from(Array::from_slice(&shape, [2]).unwrap());
        assert_eq!(run(&session, [("x", x.clone()), ("shape", known)]), expected);
        let on_device = Value::from(Tensor::from_slice(&device, &shape, [2]).unwrap());
        assert_eq!(run(&session, [("x", x.clone()), ("shape", on_device)]), expected);
    }
}

/// The branch that a condition chooses decides about shapes.
#[test]
fn shapes_of_branches_are_computed_each_time() {
    let device = device();
    let branch = |shape: &[i64]| {
        let nodes = [named("Expand", &["x", "wide"], &["z"]), integers("wide", shape)];
        [nodes.concat(), open_port(12, "z", F32, 2)].concat()
    };
    let branches = [("then_branch", branch(&[2, 3])), ("else_branch", branch(&[4, 3]))];
    let branches = branches.map(|(name, graph)| attribute(name, 5, bytes(6, graph)));
    let session = session(
        &device,
        &[
            node("If", &["condition"], &["chosen"], branches.concat()),
            named("Shape", &["chosen"], &["shape"]),
            node("Cast", &["shape"], &["y"], attribute("to", 2, int(3, F32))),
            port(11, "condition", 9, &[]),
            open_port(11, "x", F32, 1),
            open_port(12, "y", F32, 1),
        ],
    );
    let x = Value::from(tensor(&device, &[0.0; 3], [3]));
    for (condition, rows) in [(true, 2.0), (false, 4.0), (true, 2.0)] {
        let known = Value::from(Array::from_slice(&[condition], []).unwrap());
        assert_eq!(run(&session, [("x", x.clone()), ("condition", known)]), [rows, 3.0]);
        let on_device = Value::from(Tensor::from_slice(&device, &[condition], []).unwrap());
        assert_eq!(run(&session, [("x", x.clone()), ("condition", on_device)]), [rows, 3.0]);
    }
}

/// A branch folds what it makes of constants from around it, and runs again with shapes that it knows and others.
#[test]
fn branches_run_again_with_constants_from_around_them() {
    let device = device();
    let branch = |operator: &str| {
        let nodes = [named("Neg", &["w"], &["negative"]), named(operator, &["x", "negative"], &["z"])];
        [nodes.concat(), open_port(12, "z", F32, 1)].concat()
    };
    let branches = [("then_branch", branch("Add")), ("else_branch", branch("Sub"))];
    let branches = branches.map(|(name, graph)| attribute(name, 5, bytes(6, graph)));
    let session = session(
        &device,
        &[
            node("If", &["condition"], &["y"], branches.concat()),
            floats("w", &[1], &[2.0]),
            port(11, "condition", 9, &[]),
            open_port(11, "x", F32, 1),
            open_port(12, "y", F32, 1),
        ],
    );
    for (round, count) in [2, 2, 2, 3, 3, 3, 2, 4, 5, 6, 7, 2].into_iter().enumerate() {
        for (condition, change) in [(true, -2.0), (false, 2.0)] {
            let values: Vec<f32> = (0..count).map(|value| (value + round) as f32).collect();
            let x = Value::from(tensor(&device, &values, [count]));
            let condition = Value::from(Array::from_slice(&[condition], []).unwrap());
            let expected: Vec<f32> = values.iter().map(|value| value + change).collect();
            assert_eq!(run(&session, [("x", x), ("condition", condition)]), expected, "{round}");
        }
    }
    assert_eq!(session.plan().unwrap().launches(), 1);
}

/// `y = x + w`, where `w` has a default, which constants before it could be folded with.
#[test]
fn the_default_of_an_input_can_be_replaced() {
    let device = device();
    let graph = [
        named("Neg", &["w"], &["negative"]),
        named("Add", &["x", "negative"], &["y"]),
        floats("w", &[2], &[1.0, 2.0]),
        port(11, "x", F32, &[2]),
        port(11, "w", F32, &[2]),
        port(12, "y", F32, &[2]),
    ];
    let defaults = session(&device, &graph);
    let (x, w) = (tensor(&device, &[10.0, 20.0], [2]), tensor(&device, &[5.0, 7.0], [2]));
    assert_eq!(run(&defaults, [("x", &x)]), [9.0, 18.0]);
    assert_eq!(run(&defaults, [("x", &x), ("w", &w)]), [5.0, 13.0]);
    assert_eq!(run(&defaults, [("x", &x)]), [9.0, 18.0]);
    assert_ne!(placement(&defaults, "the Neg"), Placement::Folded);
    // Before version 4 of the format an initializer is no input, though it is in their list.
    let old = [int(1, 3), opset(21), bytes(7, graph.concat())].concat();
    let old = Model::from_bytes(old).unwrap().session(&device).unwrap();
    assert_eq!(run(&old, [("x", &x)]), [9.0, 18.0]);
    assert_eq!(placement(&old, "the Neg"), Placement::Folded);
    let error = old.run([("w", &w)]).unwrap_err();
    assert!(matches!(&error, Error::Input { name, .. } if name == "w"), "{error}");
}

/// A chain of 50 nodes holds two of its tensors at once.
#[test]
fn tensors_are_freed_at_their_last_use() {
    let device = device();
    let mut graph: Vec<_> = (0..50)
        .map(|at| {
            let to = if at == 49 { "y".to_owned() } else { format!("v{}", at + 1) };
            node(if at % 2 == 0 { "Neg" } else { "Abs" }, &[&format!("v{at}")], &[&to], Vec::new())
        })
        .collect();
    graph.extend([open_port(11, "v0", F32, 1), open_port(12, "y", F32, 1)]);
    let session = session(&device, &graph);
    let (count, bytes) = (100_000, 400_000);
    let x = tensor(&device, &vec![1.5; count], [count]);
    assert_eq!(run(&session, [("v0", &x)]), vec![1.5; count]);
    let plan = session.plan().unwrap();
    assert_eq!(plan.launches(), 50);
    assert!((bytes..bytes * 3).contains(&plan.peak_bytes()), "{}", plan.peak_bytes());
}

#[test]
fn plans_are_made_for_shapes_before_a_run() {
    let device = device();
    let open = session(&device, &flattened());
    let error = open.plan().unwrap_err();
    assert!(matches!(&error, Error::Input { name, .. } if name == "x"), "{error}");
    let plan = open.plan_for([("x", Shape::from([4, 5]))]).unwrap();
    assert!(plan.to_string().starts_with("For x f32[4, 5]:"), "{plan}");
    assert_eq!((plan.launches(), plan.waits(), plan.nodes().len()), (2, 0, 5));
    assert!(plan.peak_bytes() >= 80, "{plan}");
    assert_eq!(open.plan().unwrap().to_string(), plan.to_string());
    let error = open.plan_for([("z", Shape::from([4, 5]))]).unwrap_err();
    assert!(matches!(&error, Error::Input { .. }), "{error}");
    let error = open.plan_for([("x", Shape::from([4]))]).unwrap_err();
    assert!(error.to_string().contains("the model takes f32[n0, n1]"), "{error}");
    let fixed = session(
        &device,
        &[named("Relu", &["x"], &["y"]), port(11, "x", F32, &[2, 3]), port(12, "y", F32, &[2, 3])],
    );
    assert_eq!(fixed.plan().unwrap().launches(), 1);
}

#[test]
fn measured_runs_tell_times_and_the_same_results() {
    let device = device();
    let session = session(&device, &flattened());
    let x = tensor(&device, &[-1.0, 2.0], [1, 2]);
    let (outputs, plan) = session.run_measured([("x", &x)]).unwrap();
    assert_eq!(outputs.array("y").unwrap().to_vec::<f32>().unwrap(), [1.0, 2.0]);
    assert!(plan.nodes().iter().all(|node| node.time().is_some()), "{plan}");
    assert_eq!(run(&session, [("x", &x)]), [1.0, 2.0]);
    assert!(session.plan().unwrap().nodes().iter().all(|node| node.time().is_none()));
}

/// A branch reshapes the weight, which is folded: it has the same bytes, in another shape.
#[test]
fn graphs_that_share_a_weight_see_it_in_their_own_shapes() {
    let device = device();
    let branch = |name, nodes: &[Vec<u8>]| {
        attribute(name, 5, bytes(6, [nodes.concat(), open_port(12, "z", F32, 1)].concat()))
    };
    let products = [
        node("Reshape", &["w", "square"], &["matrix"], Vec::new()),
        node("Reshape", &["x", "square"], &["own"], Vec::new()),
        node("MatMul", &["own", "matrix"], &["product"], Vec::new()),
        node("Reshape", &["product", "row"], &["z"], Vec::new()),
    ];
    let sum = [node("Add", &["x", "w"], &["z"], Vec::new())];
    let graph = [
        node(
            "If",
            &["is_sum"],
            &["y"],
            [branch("then_branch", &sum), branch("else_branch", &products)].concat(),
        ),
        floats("w", &[4], &[1.0, 2.0, 3.0, 4.0]),
        integers("square", &[2, 2]),
        integers("row", &[4]),
        port(11, "is_sum", 9, &[]),
        open_port(11, "x", F32, 1),
        open_port(12, "y", F32, 1),
    ];
    let (sums, products) = ([2.0, 2.0, 3.0, 6.0], [1.0, 2.0, 6.0, 8.0]);
    // A second session begins when everything of the first one is gone.
    for order in [[true, false], [false, true]] {
        let session = session(&device, &graph);
        for is_sum in order {
            let x = tensor(&device, &[1.0, 0.0, 0.0, 2.0], 4);
            let flag = Value::from(Array::from_slice(&[is_sum], []).unwrap());
            let expected = if is_sum { sums } else { products };
            assert_eq!(run(&session, [("is_sum", flag), ("x", x.into())]), expected);
        }
    }
}
