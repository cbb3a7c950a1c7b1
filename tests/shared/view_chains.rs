//! Chains of views against a model on the host that maps every index to a position of the whole tensor.

use aclnn::layout::LayoutError;
use aclnn::{DType, Device, Error, Tensor, ops};
use proptest::prelude::*;

/// A view as a list: where each element lies in the whole tensor, in row-major order.
#[derive(Debug, Clone)]
struct Model {
    shape: Vec<usize>,
    positions: Vec<usize>,
}

#[derive(Debug, Clone)]
enum View {
    Slice {
        axis: usize,
        start: usize,
        end: usize,
        step: usize,
    },
    Select {
        axis: usize,
        index: usize,
    },
    Transpose(usize, usize),
    Rotate(usize),
    Squeeze(usize),
    Unsqueeze(usize),
    SplitAt {
        axis: usize,
        index: usize,
        second: bool,
    },
    /// Pairs on the first axis.
    Cut,
    /// The first two axes as one.
    Merge,
    Flatten,
    /// Axes of size 1 repeated, and all of it once more in front.
    Broadcast {
        size: usize,
        copies: Option<usize>,
    },
}

fn views() -> impl Strategy<Value = View> {
    let axis = || 0..4usize;
    prop_oneof![
        (axis(), 0..5usize, 0..6usize, 0..4usize).prop_map(|(axis, start, end, step)| View::Slice {
            axis,
            start,
            end,
            step
        }),
        (axis(), 0..4usize).prop_map(|(axis, index)| View::Select { axis, index }),
        (axis(), axis()).prop_map(|(first, second)| View::Transpose(first, second)),
        axis().prop_map(View::Rotate),
        axis().prop_map(View::Squeeze),
        axis().prop_map(View::Unsqueeze),
        (axis(), 0..4usize, any::<bool>()).prop_map(|(axis, index, second)| View::SplitAt {
            axis,
            index,
            second
        }),
        Just(View::Cut),
        Just(View::Merge),
        Just(View::Flatten),
        (1..4usize, proptest::option::of(1..3usize))
            .prop_map(|(size, copies)| View::Broadcast { size, copies }),
    ]
}

/// Every index of a shape, the last axis fastest.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |indices, &size| {
        let longer = indices
            .iter()
            .flat_map(|index| (0..size).map(move |last| index.iter().copied().chain([last]).collect()));
        longer.collect()
    })
}

impl Model {
    fn new(shape: &[usize]) -> Model {
        Model { shape: shape.to_vec(), positions: (0..shape.iter().product()).collect() }
    }

    fn position(&self, index: &[usize]) -> usize {
        let at = index.iter().zip(&self.shape).fold(0, |at, (index, size)| at * size + index);
        self.positions[at]
    }

    /// The view of this shape whose elements are those at the indices that `source` gives.
    fn mapped(&self, shape: Vec<usize>, source: impl Fn(Vec<usize>) -> Vec<usize>) -> Option<Model> {
        let positions = indices(&shape).into_iter().map(|index| self.position(&source(index))).collect();
        Some(Model { shape, positions })
    }

    fn with_shape(&self, shape: Vec<usize>) -> Option<Model> {
        let fits = shape.iter().product::<usize>() == self.positions.len();
        fits.then(|| Model { shape, positions: self.positions.clone() })
    }

    fn slice(&self, axis: usize, start: usize, end: usize, step: usize) -> Option<Model> {
        if start > end || end > *self.shape.get(axis)? || step == 0 {
            return None;
        }
        let mut shape = self.shape.clone();
        shape[axis] = (start..end).step_by(step).count();
        self.mapped(shape, |mut index| {
            index[axis] = start + index[axis] * step;
            index
        })
    }

    /// The view of the model; `None` if there is none.
    fn view(&self, view: &View) -> Option<Model> {
        let (mut shape, rank) = (self.shape.clone(), self.shape.len());
        match *view {
            View::Slice { axis, start, end, step } => self.slice(axis, start, end, step),
            View::Select { axis, index } => {
                if index >= *shape.get(axis)? {
                    return None;
                }
                shape.remove(axis);
                self.mapped(shape, |mut other| {
                    other.insert(axis, index);
                    other
                })
            }
            View::Transpose(first, second) => {
                if first.max(second) >= rank {
                    return None;
                }
                shape.swap(first, second);
                self.mapped(shape, |mut index| {
                    index.swap(first, second);
                    index
                })
            }
            View::Rotate(by) => {
                let by = by % rank.max(1);
                shape.rotate_left(by);
                self.mapped(shape, |mut index| {
                    index.rotate_right(by);
                    index
                })
            }
            View::Squeeze(axis) => {
                if *shape.get(axis)? != 1 {
                    return None;
                }
                shape.remove(axis);
                self.with_shape(shape)
            }
            View::Unsqueeze(axis) => {
                if axis > rank {
                    return None;
                }
                shape.insert(axis, 1);
                self.with_shape(shape)
            }
            View::SplitAt { axis, index, second } => {
                let size = *shape.get(axis)?;
                if index > size {
                    return None;
                }
                let (start, end) = if second { (index, size) } else { (0, index) };
                self.slice(axis, start, end, 1)
            }
            View::Cut | View::Merge | View::Flatten => self.with_shape(reshaped(view, &shape)),
            View::Broadcast { size, copies } => self.mapped(broadcast(&shape, size, copies), |index| {
                let own = index.into_iter().skip(usize::from(copies.is_some()));
                own.zip(&shape).map(|(index, &size)| if size == 1 { 0 } else { index }).collect()
            }),
        }
    }
}

fn reshaped(view: &View, shape: &[usize]) -> Vec<usize> {
    match (view, shape) {
        (View::Cut, [first, rest @ ..]) => [&[first / 2, 2], rest].concat(),
        (View::Merge, [first, second, rest @ ..]) => [&[first * second], rest].concat(),
        (View::Flatten, _) => vec![shape.iter().product()],
        _ => shape.to_vec(),
    }
}

fn broadcast(shape: &[usize], size: usize, copies: Option<usize>) -> Vec<usize> {
    copies.into_iter().chain(shape.iter().map(|&own| if own == 1 { size } else { own })).collect()
}

fn viewed(tensor: &Tensor, view: &View) -> Result<Tensor, Error> {
    match *view {
        View::Slice { axis, start: 0, end, step: 1 } => tensor.slice(axis, ..end),
        View::Slice { axis, start, end, step: 1 } => tensor.slice(axis, start..end),
        View::Slice { axis, start, end, step } => tensor.slice_step(axis, start..end, step),
        View::Select { axis, index } => tensor.select(axis, index),
        View::Transpose(first, second) => tensor.transpose(first, second),
        View::Rotate(by) => {
            let mut axes: Vec<usize> = (0..tensor.rank()).collect();
            axes.rotate_left(by % tensor.rank().max(1));
            tensor.permute(&axes)
        }
        View::Squeeze(axis) => tensor.squeeze(axis),
        View::Unsqueeze(axis) => tensor.unsqueeze(axis),
        View::SplitAt { axis, index, second } => {
            let (left, right) = tensor.split_at(axis, index)?;
            Ok(if second { right } else { left })
        }
        View::Cut | View::Merge => tensor.reshape(reshaped(view, tensor.shape())),
        View::Flatten => tensor.flatten_all(),
        View::Broadcast { size, copies } => tensor.broadcast_to(broadcast(tensor.shape(), size, copies)),
    }
}

/// Follows the chain as far as it goes; a reshape that needs a copy is left out.
fn follow(whole: &Tensor, views: &[View]) -> Result<(Tensor, Model), TestCaseError> {
    let mut pair = (whole.clone(), Model::new(whole.shape()));
    for view in views {
        match (viewed(&pair.0, view), pair.1.view(view)) {
            (Ok(tensor), Some(model)) => pair = (tensor, model),
            (Err(Error::View { cause: LayoutError::NeedsCopy { .. }, .. }), Some(_)) => {}
            (Err(Error::View { .. }), None) => {}
            (tensor, model) => prop_assert!(false, "{view:?}: {tensor:?} where the model is {model:?}"),
        }
    }
    Ok(pair)
}

fn failed(error: Error) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

fn whole(shape: &[usize]) -> Result<Tensor, Error> {
    let values: Vec<i32> = (0..shape.iter().product::<usize>() as i32).collect();
    Tensor::from_slice(&Device::open(0)?, &values, shape)
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![8 => 1..5usize, 1 => Just(0)], 0..=3)
}

/// Ways to write a view, each with what it makes of the old values.
const WRITES: usize = 6;

fn write(view: &mut Tensor, way: usize, values: &[i32]) -> Result<(), Error> {
    let source = Tensor::from_slice(view.stream(), values, view.shape())?;
    match way {
        0 => view.copy_from_slice(values),
        1 => view.copy_from(&source),
        2 => view.fill_in_place(-7),
        3 => ops::add(&source, 100).run_into(view),
        4 => view.add_in_place(&source),
        _ => view.copy_from(&Tensor::full(view.stream(), [], 2.9, DType::F32)?),
    }
}

fn written(old: i32, way: usize, value: i32) -> i32 {
    match way {
        0 | 1 => value,
        2 => -7,
        3 => value + 100,
        4 => old + value,
        _ => 2,
    }
}

proptest! {
    #[test]
    fn views_are_read(shape in shapes(), views in prop::collection::vec(views(), 0..6)) {
        let whole = whole(&shape).map_err(failed)?;
        let (tensor, model) = follow(&whole, &views)?;
        prop_assert_eq!(&tensor.shape()[..], &model.shape[..]);
        let expected: Vec<i32> = model.positions.iter().map(|&position| position as i32).collect();
        prop_assert_eq!(tensor.to_vec::<i32>().map_err(failed)?, expected.clone());
        let contiguous = tensor.contiguous().map_err(failed)?;
        prop_assert!(contiguous.is_contiguous());
        prop_assert_eq!(contiguous.flatten_all().and_then(|flat| flat.to_vec::<i32>()).map_err(failed)?, expected.clone());
        let doubled: Vec<i32> = expected.iter().map(|value| value * 2).collect();
        prop_assert_eq!(tensor.add(&tensor).and_then(|sum| sum.to_vec::<i32>()).map_err(failed)?, doubled);
    }

    #[test]
    fn views_are_written(
        shape in shapes(),
        views in prop::collection::vec(views(), 0..6),
        way in 0..WRITES,
    ) {
        let whole = whole(&shape).map_err(failed)?;
        let (mut tensor, model) = follow(&whole, &views)?;
        let values: Vec<i32> = (0..model.positions.len() as i32).map(|value| 1000 + value).collect();
        let mut expected: Vec<i32> = (0..whole.numel() as i32).collect();
        let mut seen = model.positions.clone();
        seen.sort_unstable();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            let refused = write(&mut tensor, way, &values);
            prop_assert!(matches!(refused, Err(Error::SharedElements { .. })), "{refused:?}");
        } else {
            write(&mut tensor, way, &values).map_err(failed)?;
            for (&position, &value) in model.positions.iter().zip(&values) {
                expected[position] = written(expected[position], way, value);
            }
        }
        prop_assert_eq!(whole.to_vec::<i32>().map_err(failed)?, expected);
    }
}
