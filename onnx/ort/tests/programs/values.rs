//! Values: tensors of every element type, strings, sequences.

use half::{bf16, f16};
use ort::inputs;
use ort::memory::Allocator;
use ort::value::{PrimitiveTensorElementType, Sequence, Tensor, TensorRef, ValueType};

use crate::support::*;

fn survives<T>(code: u64, numbers: &[T])
where
    T: PrimitiveTensorElementType + Copy + std::fmt::Debug + PartialEq + 'static,
{
    let mut session = session(&unary("Identity", code, &["?"]));
    // Few elements of integers stay on the host, and many do not.
    for numbers in [numbers.to_vec(), numbers.repeat(1000), Vec::new()] {
        let input = Tensor::from_array(([numbers.len()], numbers.clone())).unwrap();
        let outputs = session.run(inputs![&input]).unwrap();
        let (shape, elements) = outputs["y"].try_extract_tensor::<T>().unwrap();
        assert_eq!((shape[..].to_vec(), elements), (vec![numbers.len() as i64], &numbers[..]));
        assert_eq!(outputs["y"].dtype().tensor_type(), input.dtype().tensor_type());
    }
}

#[test]
fn elements_of_every_type_pass() {
    survives::<f32>(1, &[1.5, -0.0, f32::MAX]);
    survives::<u8>(2, &[0, 255]);
    survives::<i8>(3, &[-128, 127]);
    survives::<u16>(4, &[0, u16::MAX]);
    survives::<i16>(5, &[i16::MIN, i16::MAX]);
    survives::<i32>(6, &[i32::MIN, i32::MAX]);
    survives::<i64>(7, &[i64::MIN, i64::MAX]);
    survives::<bool>(9, &[true, false]);
    survives::<f16>(10, &[f16::MAX, f16::NEG_INFINITY]);
    survives::<f64>(11, &[1e300, -0.1]);
    survives::<u32>(12, &[0, u32::MAX]);
    survives::<u64>(13, &[0, u64::MAX]);
    survives::<bf16>(16, &[bf16::MIN_POSITIVE, bf16::MAX]);
}

#[test]
fn integers_are_added() {
    let mut session = session(&binary("Add", I64, &["n"]));
    for count in [3usize, 3000] {
        let numbers: Vec<i64> = (0..count as i64).collect();
        let tensor = || Tensor::from_array(([count], numbers.clone())).unwrap();
        let outputs = session.run(inputs![tensor(), tensor()]).unwrap();
        let expected: Vec<i64> = numbers.iter().map(|number| number * 2).collect();
        assert_eq!(outputs["y"].try_extract_tensor::<i64>().unwrap().1, expected);
    }
}

#[test]
fn a_scalar_has_no_axes() {
    let mut session = session(&unary("Relu", F32, &[]));
    let outputs = session.run(inputs![Tensor::from_array(((), vec![2.5f32])).unwrap()]).unwrap();
    assert_eq!(outputs["y"].try_extract_scalar::<f32>().unwrap(), 2.5);
    assert!(outputs["y"].dtype().tensor_shape().unwrap().is_empty());
}

#[test]
fn strings_pass() {
    let mut session = session(&unary("Identity", STRING, &["?", "2"]));
    let strings = ["one", "", "größer", "字符串"];
    let input = Tensor::from_string_array(([2usize, 2], &strings[..])).unwrap();
    let outputs = session.run(inputs![&input]).unwrap();
    let (shape, read) = outputs["y"].try_extract_strings().unwrap();
    assert_eq!(shape[..], [2, 2]);
    assert_eq!(read, strings);
    assert_eq!(input.try_extract_strings().unwrap().1, strings);
    let empty = Tensor::from_string_array(([0usize, 2], &[] as &[&str])).unwrap();
    drop(outputs);
    let outputs = session.run(inputs![empty]).unwrap();
    assert!(outputs["y"].try_extract_strings().unwrap().1.is_empty());
}

#[test]
fn new_tensors_are_zero_and_can_be_written() {
    environment();
    let mut tensor = Tensor::<f64>::new(&Allocator::default(), [2_usize, 3]).unwrap();
    assert_eq!((tensor.size(), tensor.extract_tensor().1), (Some(48), &[0.0f64; 6][..]));
    tensor[[1, 2]] = 7.0;
    tensor.extract_array_mut()[[0, 1]] = 5.0;
    assert_eq!(tensor.extract_tensor().1, [0.0, 5.0, 0.0, 0.0, 0.0, 7.0]);
    assert_eq!(tensor[[0, 1]], 5.0);
    assert_eq!(tensor.data_ptr().align_offset(64), 0);
}

#[test]
fn a_clone_is_another_tensor() {
    environment();
    let mut tensor = Tensor::from_array(([2], vec![1.0f32, 2.0])).unwrap();
    let clone = tensor.clone();
    tensor[[0]] = 9.0;
    let small = Tensor::from_array(([2], vec![1i8, -2])).unwrap().clone();
    assert_eq!(small.extract_tensor().1, [1, -2]);
    assert_eq!(
        (clone.extract_tensor().1, tensor.extract_tensor().1),
        (&[1.0f32, 2.0][..], &[9.0f32, 2.0][..])
    );
}

#[test]
fn borrowed_elements_are_where_they_were() {
    environment();
    let numbers = [1.0f32, 2.0, 3.0];
    let tensor = TensorRef::from_array_view(([3], &numbers[..])).unwrap();
    assert_eq!(tensor.extract_tensor().1.as_ptr(), numbers.as_ptr());
}

#[test]
fn sequences_pass() {
    let tensor = |numbers: &[f32]| Tensor::from_array(([numbers.len()], numbers.to_vec())).unwrap();
    let model = model(&Graph {
        nodes: vec![node("Identity", &["x"], &["y"])],
        inputs: vec![sequence("x", F32, &["?"])],
        outputs: vec![sequence("y", F32, &["?"])],
        ..Graph::default()
    });
    let mut session = session(&model);
    assert_eq!(session.inputs()[0].dtype().to_string(), "Sequence<Tensor<f32>(dyn)>");
    let input = Sequence::new([tensor(&[1.0]), tensor(&[2.0, 3.0])]).unwrap();
    assert_eq!(input.len(), 2);
    let mut outputs = session.run(inputs![&input]).unwrap();
    let output = outputs.remove("y").unwrap();
    drop(outputs);
    drop(input);
    assert!(matches!(output.dtype(), ValueType::Sequence(_)));
    let values = output.try_extract_sequence::<ort::value::TensorValueType<f32>>().unwrap();
    drop(output);
    let read: Vec<Vec<f32>> = values.iter().map(|value| value.extract_tensor().1.to_vec()).collect();
    assert_eq!(read, [vec![1.0], vec![2.0, 3.0]]);
}
