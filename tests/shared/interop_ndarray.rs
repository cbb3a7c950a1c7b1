//! Arrays of `ndarray` go to the device and back with every element at its index.

use aclnn::{Complex, DType, Device, Element, Error, Tensor, bf16, f16};
use ndarray::{Array, Array0, Array1, Array2, Array3, ArrayD, Axis, IxDyn, ShapeBuilder, array, s};

type Outcome = Result<(), Error>;

fn counted() -> Array3<i32> {
    Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as i32)
}

#[test]
fn every_layout_keeps_its_indices() -> Outcome {
    let device = Device::open(0)?;
    let all = counted();
    let mut columns = Array3::zeros((2, 3, 4).f());
    columns.assign(&all);
    let mut turned = all.view();
    turned.invert_axis(Axis(1));
    let views = [
        all.view(),
        columns.view(),
        turned,
        all.view().reversed_axes(),
        all.slice(s![.., 1.., ..;2]),
        all.slice(s![1..2, ..;-1, 3..4]),
        all.slice(s![.., 3.., ..]),
    ];
    for view in views {
        let tensor = Tensor::from_ndarray(&device, &view)?;
        assert_eq!(tensor.shape()[..], *view.shape());
        let mut elements = tensor.to_vec::<i32>()?.into_iter();
        // Indexed one by one, outermost first.
        for i in 0..view.len_of(Axis(0)) {
            for j in 0..view.len_of(Axis(1)) {
                for k in 0..view.len_of(Axis(2)) {
                    assert_eq!(elements.next(), Some(view[[i, j, k]]), "{view:?}");
                }
            }
        }
        assert_eq!(elements.next(), None);
        assert_eq!(tensor.to_ndarray::<i32>()?, view.into_dyn());
    }
    Ok(())
}

#[test]
fn repeated_elements_and_no_axes() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open(0)?;
    let row = array![1.5f64, -2.0];
    let repeated = Tensor::from_ndarray(&device, &row.broadcast((3, 2)).ok_or("no such view")?)?;
    assert_eq!(repeated.to_vec::<f64>()?, [1.5, -2.0, 1.5, -2.0, 1.5, -2.0]);
    let one = Tensor::from_ndarray(&device, &Array0::from_elem((), 7u8))?;
    assert_eq!(one.rank(), 0);
    assert_eq!(Array0::<u8>::try_from(&one)?, Array0::from_elem((), 7u8));
    let many: Array<i8, IxDyn> = ArrayD::from_elem(vec![1, 2, 1, 1, 2, 1, 1, 1, 1, 3], -1);
    assert_eq!(Tensor::from_ndarray(&device, &many)?.to_ndarray::<i8>()?, many);
    Ok(())
}

#[test]
fn views_of_tensors_become_arrays() -> Outcome {
    let device = Device::open(0)?;
    let tensor = Tensor::from_ndarray(&device, &counted())?;
    let view = tensor.transpose(0, 2)?.slice(1, 1..3)?;
    let expected = counted().reversed_axes().slice_move(s![.., 1.., ..]);
    assert_eq!(Array3::<i32>::try_from(&view)?, expected);
    let empty = tensor.slice(1, 2..2)?;
    assert_eq!(empty.to_ndarray::<i32>()?.shape(), [2, 0, 4]);
    Ok(())
}

#[test]
fn every_element_type() -> Outcome {
    fn there_and_back<T: Element>(device: &Device, values: [T; 2]) -> Outcome {
        let array = Array1::from_vec(values.to_vec());
        let tensor = Tensor::from_ndarray(device, &array.slice(s![..;-1]))?;
        assert_eq!(tensor.dtype(), T::DTYPE);
        assert_eq!(Array1::<T>::try_from(&tensor)?, array![values[1], values[0]]);
        Ok(())
    }
    let device = Device::open(0)?;
    there_and_back(&device, [true, false])?;
    there_and_back(&device, [i64::MIN, 1])?;
    there_and_back(&device, [u64::MAX, 1])?;
    there_and_back(&device, [f16::MAX, f16::NEG_ONE])?;
    there_and_back(&device, [bf16::MAX, bf16::NEG_ONE])?;
    there_and_back(&device, [f32::MIN_POSITIVE, f32::NEG_INFINITY])?;
    there_and_back(&device, [Complex::new(f16::ONE, f16::MAX), Complex::default()])?;
    there_and_back(&device, [Complex::new(1.0f64, -2.0), Complex::new(0.0, 0.5)])?;
    there_and_back(&device, [aclnn::element::F8E4M3FN(0x38), aclnn::element::F8E4M3FN(0)])
}

#[test]
fn what_does_not_fit_is_refused() -> Outcome {
    let device = Device::open(0)?;
    let tensor = Tensor::zeros(&device, [2, 3], DType::F32)?;
    let error = Array1::<f32>::try_from(&tensor).unwrap_err().to_string();
    assert!(error.contains("ndarray: f32[2, 3] has 2 axes, the array 1"), "{error}");
    let error = tensor.to_ndarray::<f64>().unwrap_err();
    assert!(matches!(error, Error::ElementType { dtype: DType::F32, asked: DType::F64, .. }), "{error}");
    // ndarray counts the elements beside an empty axis as tensors do.
    let endless = [0, i64::MAX as usize];
    let array = Tensor::zeros(&device, endless, DType::F32)?.to_ndarray::<f32>()?;
    assert_eq!(array.shape(), endless);
    assert_eq!(Array2::<f32>::try_from(&tensor)?, Array2::<f32>::zeros((2, 3)));
    Ok(())
}
