//! The reader of models, given files that are wrong on purpose: each is an error that says where, and none costs memory.
//!
//! The files are made here, field by field, by the numbers of the published format.

use std::fs;
use std::os::unix::fs::symlink;

use aclnn_onnx::{Device, Error, Model, Value, cases};

use crate::support::format::*;

/// A model that is right: the transposed sum of an input and a weight.
fn right() -> Vec<u8> {
    model(&[
        node("Add", &["x", "w"], &["sum"], bytes(3, "addition")),
        node("Transpose", &["sum"], &["y"], attribute("perm", 7, [int(8, 1), int(8, 0)].concat())),
        bytes(2, "small"),
        weight("w", F32, &[2], bytes(9, [0, 0, 128, 63, 0, 0, 0, 64])),
        port(11, "x", F32, &[3, 2]),
        port(12, "y", F32, &[2, 3]),
    ])
}

/// Returns the reason why a model in memory is refused. The error has to name the place.
fn refused(file: Vec<u8>, place: &str) -> String {
    match Model::from_bytes(file) {
        Ok(_) => panic!("{place}: the model is accepted"),
        Err(Error::Model { model, place: found, reason }) => {
            assert_eq!((model.as_str(), found.as_str()), ("model in memory", place), "{reason}");
            assert!(reason.len() < 400, "{} letters: {reason}", reason.len());
            reason
        }
        Err(other) => panic!("{place}: {other}"),
    }
}

#[test]
fn the_right_model_is_read() {
    let model = Model::from_bytes(right()).unwrap();
    assert_eq!(model.graph_name(), "small");
    assert_eq!(model.inputs().next().unwrap().value_type.unwrap().to_string(), "f32[3, 2]");
    assert_eq!((model.survey().nodes, model.survey().weight_bytes), (2, 8));
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    let whole = right();
    for length in 0..whole.len() {
        match Model::from_bytes(whole[..length].to_vec()) {
            Err(Error::Model { model, place, reason }) => {
                assert_eq!(model, "model in memory");
                assert!(
                    ["file", "graph"].contains(&place.as_str()) && !reason.is_empty(),
                    "{length}: {place}"
                );
            }
            other => panic!("{length}: {other:?}"),
        }
    }
}

/// Each byte of the model becomes each of some others. What can be read then is made ready and run, too.
#[test]
fn no_byte_that_is_changed_ends_the_process() {
    let (whole, device) = (right(), Device::open(0).unwrap());
    let mut read = 0;
    for place in 0..whole.len() {
        for other in [0x00, 0x01, 0x02, 0x7f, 0x80, 0xff, whole[place] ^ 0x08, whole[place].wrapping_add(1)] {
            let mut changed = whole.clone();
            changed[place] = other;
            let Ok(model) = Model::from_bytes(changed) else { continue };
            read += 1;
            model.survey();
            if let Ok(session) = model.session(&device) {
                _ = session.plan();
            }
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn files_that_are_no_models_are_refused() {
    assert_eq!(refused(Vec::new(), "graph"), "the model has none; is this an ONNX file?");
    refused(b"a text\n".to_vec(), "file");
    refused(b"\x93NUMPY\x01\x00".to_vec(), "file");
    refused([0xff; 64].to_vec(), "file");
    refused([int(1, 0), bytes(7, [])].concat(), "ir_version");
    refused([int(1, -1), bytes(7, [])].concat(), "ir_version");
    // A name that is not UTF-8.
    let reason = refused(model(&[bytes(2, [0xc3, 0x28])]), "file");
    assert!(reason.contains("UTF-8"), "{reason}");
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("nothing.onnx"), folder.path().to_owned()] {
        match Model::open(&path) {
            Err(Error::File { path: told, .. }) => assert_eq!(told, path),
            other => panic!("{other:?}"),
        }
    }
    let path = folder.path().join("empty.onnx");
    fs::write(&path, []).unwrap();
    let error = Model::open(&path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: graph: ", path.display())), "{error}");
}

#[test]
fn lengths_beyond_the_file_cost_no_memory() {
    for length in [2 << 30, u64::from(u32::MAX), i64::MAX as u64, u64::MAX] {
        // A node, the name, a weight, an input.
        for field in [1, 2, 5, 11] {
            refused([int(1, 10), claiming(7, length, &claiming(field, length, b"abc"))].concat(), "file");
            refused(model(&[claiming(field, length, b"abc")]), "file");
        }
        // Floats, integers, a string, longer integers, bytes, longer floats, longer integers without sign.
        for field in [4, 5, 6, 7, 9, 10, 11] {
            let weight = [int(1, 3), int(2, 1), bytes(8, "w"), claiming(field, length, &[0; 12])].concat();
            refused(model(&[bytes(5, weight)]), "file");
        }
    }
}

#[test]
fn dimensions_that_no_memory_holds_are_refused() {
    for dims in [
        &[-1][..],
        &[2, i64::MIN],
        &[i64::MAX],
        &[1 << 40, 1 << 40],
        &[i64::MAX, 2],
        &[1 << 32, 1 << 32],
        &[1 << 31, 1 << 31, 1 << 31],
        &[1 << 62, 1 << 62, 1 << 62, 1 << 62],
    ] {
        let reason = refused(model(&[weight("w", F32, dims, bytes(9, []))]), "initializer `w`");
        assert!(reason.contains("dimensions are"), "{dims:?}: {reason}");
    }
    // Sizes that memory could hold, but the file does not.
    for data in [bytes(9, [0; 8]), bytes(4, [0; 8]), bytes(6, "text"), Vec::new()] {
        for elements in [F32, 2, 7, 8, 11, 15, 16, 22] {
            refused(model(&[weight("w", elements, &[1 << 33], data.clone())]), "initializer `w`");
        }
    }
    // Of an input, such a size stands for any.
    let open = Model::from_bytes(model(&[port(11, "x", F32, &[3, -1])])).unwrap();
    assert_eq!(open.inputs().next().unwrap().value_type.unwrap().to_string(), "f32[3, ?]");
}

/// Such a tensor holds nothing, whatever its other sizes are.
#[test]
fn empty_tensors_with_large_sizes_are_read_or_refused() {
    let device = Device::open(0).unwrap();
    for dims in [&[0, 1 << 62, 1 << 62][..], &[1 << 62, 1 << 62, 0], &[i64::MAX, 0, i64::MAX]] {
        let file = model(&[
            weight("w", F32, dims, bytes(9, [])),
            node("Transpose", &["w"], &["y"], Vec::new()),
            port(12, "y", F32, &[1, 1, 1]),
        ]);
        if let Ok(model) = Model::from_bytes(file)
            && let Ok(session) = model.session(&device)
        {
            _ = session.run::<&str, Value>([]).map(|outputs| outputs.array("y").map(drop));
        }
    }
}

#[test]
fn sparse_tensors_cost_what_they_hold() {
    let sparse = |dims: &[i64], values: Vec<u8>, indices: Vec<u8>| {
        let dims: Vec<u8> = dims.iter().flat_map(|size| int(3, *size)).collect();
        model(&[bytes(15, [bytes(1, values), bytes(2, indices), dims].concat())])
    };
    let one = || tensor("s", F32, &[1], bytes(9, [0, 0, 128, 63]));
    let at = |place: i64| tensor("", 7, &[1], bytes(7, varint(place as u64)));
    Model::from_bytes(sparse(&[4], one(), at(3))).unwrap();
    for (dims, place) in
        [(&[1i64 << 40][..], 3), (&[1 << 56], 3), (&[1 << 20, 1 << 20], 3), (&[-4], 3), (&[4], 4), (&[4], -1)]
    {
        refused(sparse(dims, one(), at(place)), "initializer `s`");
    }
    refused(sparse(&[4], tensor("s", F32, &[2], bytes(9, [0; 8])), at(3)), "initializer `s`");
    refused(sparse(&[4, 4], one(), tensor("", 7, &[1, 3], bytes(9, [0; 24]))), "initializer `s`");
    refused(sparse(&[4], one(), tensor("", F32, &[1], bytes(9, [0; 4]))), "initializer `s`");
    refused(sparse(&[4], tensor("s", 8, &[1], bytes(6, "a")), at(3)), "initializer `s`");
    refused(sparse(&[4], tensor("s", 22, &[1], bytes(9, [1])), at(3)), "initializer `s`");
}

#[test]
fn types_that_are_not_known_are_refused() {
    for elements in [0, -1, 99, i64::from(i32::MAX)] {
        refused(model(&[weight("w", elements, &[1], bytes(9, [0; 4]))]), "initializer `w`");
        refused(model(&[port(11, "x", elements, &[1])]), "input `x`");
    }
    let inner = bytes(1, [int(1, 99), bytes(2, [])].concat());
    let sequence = bytes(4, bytes(1, inner));
    refused(model(&[bytes(11, [bytes(1, "x"), bytes(2, sequence)].concat())]), "input `x`");
    refused(model(&[bytes(11, [bytes(1, "x"), bytes(2, bytes(4, []))].concat())]), "input `x`");
}

#[test]
fn operator_sets_that_are_not_known_are_refused() {
    let add = || [node("Add", &["x", "x"], &["y"], Vec::new()), port(11, "x", F32, &[1])];
    for version in [29, i64::MAX] {
        refused(model_with(opset(version), &add()), "opset_import");
    }
    for version in [0, -1, i64::MIN] {
        refused(model_with(opset(version), &add()), "Add (node 0)");
    }
    let reason = refused(model_with(Vec::new(), &add()), "Add (node 0)");
    assert_eq!(reason, "the model imports no operators of `ai.onnx`");
    let other = node("Add", &["x", "x"], &["y"], [bytes(3, "one"), bytes(7, "com.example")].concat());
    let reason = refused(model(&[other, port(11, "x", F32, &[1])]), "Add `one`");
    assert_eq!(reason, "the model imports no operators of `com.example`");
}

#[test]
fn names_are_defined_once_and_before_they_are_used() {
    let (x, y) = (|| port(11, "x", F32, &[1]), || port(12, "y", F32, &[1]));
    let twice = "two nodes or inputs have this name";
    let abs = |from: &str, to: &str| node("Abs", &[from], &[to], Vec::new());
    assert_eq!(refused(model(&[x(), abs("x", "y"), abs("x", "y"), y()]), "value `y`"), twice);
    assert_eq!(refused(model(&[x(), port(11, "z", F32, &[1]), abs("x", "z"), y()]), "value `z`"), twice);
    assert_eq!(refused(model(&[x(), x(), abs("x", "y"), y()]), "input `x`"), "two inputs have this name");
    let one = || weight("w", F32, &[1], bytes(9, [0; 4]));
    assert_eq!(refused(model(&[one(), one()]), "initializer `w`"), "two initializers have this name");
    assert_eq!(refused(model(&[x(), one(), abs("x", "w"), y()]), "value `w`"), twice);
    let two = node("Split", &["x"], &["y", "y"], Vec::new());
    assert_eq!(refused(model(&[x(), two, y()]), "value `y`"), twice);
    let reason = refused(model(&[x(), abs("z", "y"), y()]), "Abs (node 0)");
    assert_eq!(reason, "its input 0, `z`, is computed nowhere");
    assert_eq!(refused(model(&[x(), y()]), "output `y`"), "no node has this output");
}

#[test]
fn circles_are_refused() {
    let add = |from: &str, to: &str| node("Add", &["x", from], &[to], bytes(3, to));
    for length in [1, 2, 3, 1000] {
        let mut graph = vec![port(11, "x", F32, &[1])];
        graph.extend((0..length).map(|at| add(&format!("v{at}"), &format!("v{}", (at + 1) % length))));
        let reason = refused(model(&graph), &format!("Add `v{}`", 1 % length));
        assert!(reason.starts_with("it is part of a cycle"), "{reason}");
    }
    // A subgraph that takes what its node gives.
    let inner = [node("Abs", &["y"], &["z"], Vec::new()), port(12, "z", F32, &[1])].concat();
    let branch = attribute("then_branch", 5, bytes(6, inner));
    let reason = refused(model(&[port(11, "x", 9, &[]), node("If", &["x"], &["y"], branch)]), "If (node 0)");
    assert!(reason.starts_with("it is part of a cycle"), "{reason}");
}

#[test]
fn attributes_are_read_or_refused() {
    let with =
        |attributes: Vec<u8>| model(&[port(11, "x", F32, &[1]), node("Abs", &["x"], &["y"], attributes)]);
    let twice = [attribute("a", 2, int(3, 1)), attribute("a", 2, int(3, 1))].concat();
    assert_eq!(refused(with(twice), "Abs (node 0)"), "it has attribute `a` twice");
    for kind in [4, 5, 10, 11, 12, 13, 14, 15, -1, 99] {
        let reason = refused(with(attribute("a", kind, Vec::new())), "Abs (node 0)");
        assert!(reason.starts_with("attribute `a`: "), "{reason}");
    }
    let large = attribute("a", 4, bytes(5, tensor("", F32, &[1 << 40], Vec::new())));
    let reason = refused(with(large), "Abs (node 0)");
    assert!(reason.starts_with("attribute `a`: "), "{reason}");
}

#[test]
fn deep_nesting_is_refused() {
    // Subgraphs in subgraphs. Each level is written around the one within, from the end of the file on.
    let mut backwards: Vec<u8> = port(12, "y", F32, &[1]).into_iter().rev().collect();
    let around = |field: u64, backwards: &mut Vec<u8>| {
        let head = [varint(field << 3 | 2), varint(backwards.len() as u64)].concat();
        backwards.extend(head.into_iter().rev());
    };
    for _ in 0..10_000 {
        // A graph in an attribute of a node of a graph.
        [6, 5, 1].into_iter().for_each(|field| around(field, &mut backwards));
    }
    backwards.reverse();
    let reason = refused(model(&[backwards]), "file");
    assert!(reason.contains("recursion limit"), "{reason}");
    // Lists of lists, in a type and in a value.
    let (mut kind, mut value) = (bytes(1, int(1, F32)), Vec::new());
    for _ in 0..1000 {
        kind = bytes(4, bytes(1, kind));
        value = [int(2, 3), bytes(5, value)].concat();
    }
    refused(model(&[bytes(11, [bytes(1, "x"), bytes(2, kind)].concat())]), "file");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input_0.pb");
    fs::write(&path, value).unwrap();
    let declared = bytes(11, [bytes(1, "x"), bytes(2, bytes(4, bytes(1, bytes(1, int(1, F32)))))].concat());
    let list = Model::from_bytes(model(&[declared])).unwrap();
    let declared = list.inputs().next().unwrap().value_type;
    let error = cases::read_value(&path, declared).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: value: ", path.display())), "{error}");
}

/// Each function calls the next one twice, or itself: there would be more nodes than memory holds.
#[test]
fn functions_that_grow_without_end_are_refused() {
    let function = |name: &str, nodes: Vec<Vec<u8>>| {
        let nodes: Vec<u8> = nodes.into_iter().flat_map(|node| bytes(7, node)).collect();
        let own = [bytes(1, name), bytes(4, "a"), bytes(5, "c"), nodes];
        let sets = [bytes(9, int(2, 21)), bytes(9, [bytes(1, "own"), int(2, 1)].concat()), bytes(10, "own")];
        bytes(25, [own.concat(), sets.concat()].concat())
    };
    let call = |name: &str, from: &str, to: &str| node_content(name, &[from], &[to], bytes(7, "own"));
    let graph = || {
        let nodes = bytes(1, call("f0", "x", "y"));
        bytes(7, [port(11, "x", F32, &[1]), nodes, port(12, "y", F32, &[1])].concat())
    };
    let head = || [int(1, 10), opset(21), bytes(8, [bytes(1, "own"), int(2, 1)].concat())].concat();

    let endless = [head(), function("f0", vec![call("f0", "a", "c")]), graph()].concat();
    assert_eq!(refused(endless, "f0 (node 0)"), "more than 64 functions call each other");

    let doubling = (0..60).flat_map(|at| {
        let next = format!("f{}", at + 1);
        function(&format!("f{at}"), vec![call(&next, "a", "b"), call(&next, "b", "c")])
    });
    let last = function("f60", vec![node_content("Abs", &["a"], &["c"], Vec::new())]);
    let file = [head(), doubling.collect(), last, graph()].concat();
    let error = Model::from_bytes(file).unwrap_err().to_string();
    assert!(error.contains("its functions expand to more than "), "{error}");

    // One function with a megabyte of floats, called again and again.
    let floats = tensor("", F32, &[1 << 18], bytes(4, vec![0; 1 << 20]));
    let large = node_content("Constant", &[], &["c"], attribute("value", 4, bytes(5, floats)));
    let calls: Vec<u8> = (0..1000).flat_map(|at| bytes(1, call("f0", "x", &format!("y{at}")))).collect();
    let graph_of_calls = bytes(7, [port(11, "x", F32, &[1]), calls].concat());
    let error =
        Model::from_bytes([head(), function("f0", vec![large]), graph_of_calls].concat()).unwrap_err();
    assert!(error.to_string().contains("its functions expand to more than "), "{error}");

    let twice = [head(), function("f0", vec![]), function("f0", vec![]), graph()].concat();
    assert_eq!(refused(twice, "function `f0`"), "it is defined twice");
    let without_output = [head(), function("f0", vec![]), graph()].concat();
    assert_eq!(refused(without_output, "f0 (node 0)"), "its function has no output `c`");
}

/// Elements in files beside the model lie in its folder, and nowhere else.
#[test]
fn files_beside_the_model_do_not_lead_out_of_its_folder() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("model");
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(outer.path().join("secret"), [0; 64]).unwrap();
    fs::write(folder.join("weights"), [0; 64]).unwrap();
    fs::write(folder.join("inner/weights"), [0; 64]).unwrap();
    fs::write(folder.join("none"), []).unwrap();
    symlink(outer.path().join("secret"), folder.join("link")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    symlink("weights", folder.join("same")).unwrap();
    let entry = |key: &str, value: &str| bytes(13, [bytes(1, key), bytes(2, value)].concat());
    let file = |entries: &[u8]| model(&[weight("w", F32, &[4], [entries, &int(14, 1)].concat())]);
    let path = folder.join("model.onnx");
    let open = |entries: &[u8]| {
        fs::write(&path, file(entries)).unwrap();
        Model::open(&path)
    };
    let length = entry("length", "16");
    for location in ["weights", "./weights", "inner/weights", "same"] {
        open(&[entry("location", location), length.clone()].concat()).unwrap();
        open(&[entry("location", location), entry("offset", "48")].concat()).unwrap();
    }
    // No place at all, or more bytes than the elements take.
    let mut wrong: Vec<Vec<u8>> = vec![Vec::new(), length.clone(), entry("location", "weights")];
    let secret = outer.path().join("secret");
    for location in [
        "",
        ".",
        "inner",
        "..",
        "../secret",
        "inner/../../secret",
        "link",
        "up/secret",
        "nothing",
        "none",
        "we\0ights",
        secret.to_str().unwrap(),
    ] {
        wrong.push([entry("location", location), length.clone()].concat());
    }
    for number in ["49", "64", "65", "-1", "18446744073709551615", "18446744073709551616", "0x10", ""] {
        wrong.push([entry("location", "weights"), entry("offset", number), length.clone()].concat());
    }
    for number in ["-16", "65", "17", "18446744073709551615"] {
        wrong.push([entry("location", "weights"), entry("length", number)].concat());
    }
    for entries in wrong {
        match open(&entries) {
            Err(Error::Model { model, place, reason }) => {
                let found = (model, place.as_str());
                assert_eq!(found, (path.display().to_string(), "initializer `w`"), "{reason}");
            }
            other => panic!("{}: {other:?}", String::from_utf8_lossy(&entries)),
        }
    }
    // A model in memory has no folder, unless one is given.
    let inside = [entry("location", "weights"), length].concat();
    let reason = refused(file(&inside), "initializer `w`");
    assert!(reason.contains("the model is not in a folder"), "{reason}");
    Model::from_bytes_in(file(&inside), &folder).unwrap();
}
