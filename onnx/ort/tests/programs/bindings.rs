//! Values that are bound to a session.

use ort::memory::{AllocationDevice, Allocator, AllocatorType, MemoryInfo, MemoryType};
use ort::value::{Tensor, TensorRef};

use crate::support::*;

fn tensor(numbers: [f32; 2]) -> Tensor<f32> {
    Tensor::from_array(([2], numbers.to_vec())).unwrap()
}

#[test]
fn bound_values_are_used_by_every_run() {
    let mut session = session(&binary("Add", F32, &["2"]));
    let mut binding = session.create_binding().unwrap();
    binding.bind_input("a", &tensor([1.0, 2.0])).unwrap();
    binding.bind_input("b", &tensor([10.0, 20.0])).unwrap();
    binding.bind_output_to_device("y", &MemoryInfo::default()).unwrap();
    for _ in 0..2 {
        let outputs = session.run_binding(&binding).unwrap();
        assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [11.0, 22.0]);
    }
    binding.bind_input("b", &tensor([0.0, -2.0])).unwrap();
    binding.synchronize().unwrap();
    let outputs = session.run_binding(&binding).unwrap();
    assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [1.0, 0.0]);
    drop(outputs);
    binding.clear_inputs();
    let error = session.run_binding(&binding).unwrap_err();
    assert_eq!(error.message(), "input `a`: it is missing; the model takes f32[2]");
    binding.clear();
}

#[test]
fn inputs_are_copied_when_they_are_bound() {
    let mut session = session(&unary("Relu", F32, &["2"]));
    let mut binding = session.create_binding().unwrap();
    let mut numbers = [3.0f32, -1.0];
    binding.bind_input("x", &TensorRef::from_array_view(([2], &numbers[..])).unwrap()).unwrap();
    numbers[0] = 100.0;
    binding.bind_output_to_device("y", &MemoryInfo::default()).unwrap();
    let outputs = session.run_binding(&binding).unwrap();
    assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [3.0, 0.0]);
    assert_eq!(numbers, [100.0, -1.0]);
}

#[test]
fn outputs_are_written_where_they_are_bound() {
    let mut session = session(&unary("Relu", F32, &["2"]));
    let mut binding = session.create_binding().unwrap();
    binding.bind_input("x", &tensor([-1.0, 5.0])).unwrap();
    let place = Tensor::<f32>::new(&Allocator::default(), [2_usize]).unwrap();
    let start = place.data_ptr();
    binding.bind_output("y", place).unwrap();
    let outputs = session.run_binding(&binding).unwrap();
    let (_, numbers) = outputs["y"].try_extract_tensor::<f32>().unwrap();
    assert_eq!((numbers, numbers.as_ptr().cast()), (&[0.0f32, 5.0][..], start));
}

#[test]
fn an_output_of_another_shape_is_refused() {
    let mut session = session(&unary("Relu", F32, &["n"]));
    let mut binding = session.create_binding().unwrap();
    binding.bind_input("x", &tensor([-1.0, 5.0])).unwrap();
    binding.bind_output("y", Tensor::<f32>::new(&Allocator::default(), [3_usize]).unwrap()).unwrap();
    let error = session.run_binding(&binding).unwrap_err();
    assert_eq!(error.message(), "output `y` is f32[2], and what was given for it is f32[3]");
}

#[test]
fn only_what_the_model_has_can_be_bound() {
    let session = session(&unary("Relu", F32, &["n"]));
    let mut binding = session.create_binding().unwrap();
    let error = binding.bind_input("z", &tensor([0.0, 0.0])).unwrap_err();
    assert_eq!(error.message(), "the model has no input `z`; it has x");
    let error = binding.bind_output_to_device("z", &MemoryInfo::default()).unwrap_err();
    assert_eq!(error.message(), "the model has no output `z`; it has y");
    let other =
        MemoryInfo::new(AllocationDevice::CUDA, 0, AllocatorType::Device, MemoryType::Default).unwrap();
    let error = binding.bind_output_to_device("y", &other).unwrap_err();
    assert!(error.message().starts_with("ort-aclnn has no memory of \"Cuda\""), "{error}");
}

#[test]
fn memory_tells_where_it_is() {
    let session = session(&unary("Relu", F32, &["n"]));
    let allocator = Allocator::new(&session, MemoryInfo::default()).unwrap();
    assert_eq!(allocator.memory_info().allocation_device().as_str(), "Cpu");
    assert!(allocator.memory_info().is_cpu_accessible());
    assert_eq!(Allocator::default().memory_info(), &MemoryInfo::default());
    let block = allocator.alloc::<u64>(100).unwrap();
    assert_eq!(block.as_ptr().align_offset(64), 0);
    drop(block);
    let info = |device| MemoryInfo::new(device, 3, AllocatorType::Arena, MemoryType::CPUInput).unwrap();
    let other = info(AllocationDevice::CANN);
    assert_eq!((other.device_id(), other.device_type()), (3, ort::memory::DeviceType::NPU));
    assert_eq!((other.allocator_type(), other.memory_type()), (AllocatorType::Arena, MemoryType::CPUInput));
    assert_eq!(other.clone(), other);
    assert_ne!(other, info(AllocationDevice::CPU));
    assert!(Allocator::new(&session, other).is_err());
}
