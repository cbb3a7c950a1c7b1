//! Views and iteration against nested index loops.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::layout::{Layout, LayoutError, Shape, Walk, broadcast};
use proptest::prelude::*;

/// Every index of a shape, the last axis fastest.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |prefixes, &size| {
        prefixes
            .iter()
            .flat_map(|prefix| (0..size).map(move |i| prefix.iter().copied().chain([i]).collect()))
            .collect()
    })
}

fn position(layout: &Layout, index: &[usize]) -> isize {
    let along: isize = index.iter().zip(layout.strides()).map(|(&i, &stride)| i as isize * stride).sum();
    layout.offset() as isize + along
}

/// The positions of all elements in order.
fn positions(layout: &Layout) -> Vec<isize> {
    indices(layout.shape()).iter().map(|index| position(layout, index)).collect()
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![6 => 2usize..4, 3 => Just(1usize), 1 => Just(0usize)], 0..6)
}

/// Strides that sometimes continue each other, so that axes merge, and sometimes do not.
fn strides(shape: &[usize]) -> impl Strategy<Value = Vec<isize>> + use<> {
    let contiguous = Layout::contiguous(shape).strides().to_vec();
    prop::collection::vec((0u8..8, -7isize..8), shape.len()).prop_map(move |choices| {
        choices
            .iter()
            .zip(&contiguous)
            .map(|(&(choice, free), &row_major)| match choice {
                0 => 0,
                1 => free,
                _ => row_major,
            })
            .collect()
    })
}

fn layouts() -> impl Strategy<Value = Layout> {
    shapes().prop_flat_map(|shape| {
        strides(&shape).prop_map(move |strides| Layout::new(&shape[..], &strides, 1000).unwrap())
    })
}

proptest! {
    #[test]
    fn walk_is_the_nested_loop(
        (shape, first, second) in shapes().prop_flat_map(|s| (Just(s.clone()), strides(&s), strides(&s))),
        cut in (0usize..300, 0usize..300),
    ) {
        let layouts = [&first, &second].map(|strides| Layout::new(&shape[..], strides, 0).unwrap());
        let expected: Vec<[isize; 2]> =
            indices(&shape).iter().map(|index| layouts.each_ref().map(|layout| position(layout, index))).collect();
        let walk = Walk::new(&shape, [&first, &second]);
        prop_assert_eq!(walk.numel(), expected.len());
        let inner = walk.inner_strides();

        let (mut visited, mut runs) = (Vec::new(), 0);
        let mut collect = |offsets: [isize; 2], len: usize| {
            assert!(len > 0 && len <= walk.inner_len());
            runs += 1;
            visited.extend((0..len as isize).map(|i| [offsets[0] + i * inner[0], offsets[1] + i * inner[1]]));
        };
        walk.for_each_run(&mut collect);
        prop_assert_eq!(&visited, &expected);
        prop_assert_eq!(walk.is_single_run(), runs <= 1);
        let each: Vec<_> = (0..walk.numel()).map(|index| walk.offsets_at(index)).collect();
        prop_assert_eq!(&each, &expected);
        if let (Some((count, strides)), Some(first)) = (walk.axis_of_runs(), expected.first()) {
            prop_assert!(count > 1 && count * walk.inner_len() <= walk.numel());
            let second = [first[0] + strides[0], first[1] + strides[1]];
            prop_assert_eq!(second, expected[walk.inner_len()]);
        }

        let mut visited = Vec::new();
        walk.for_each_run_in(cut.0, cut.1, |offsets, len| {
            visited.extend((0..len as isize).map(|i| [offsets[0] + i * inner[0], offsets[1] + i * inner[1]]));
        });
        let begin = cut.0.min(expected.len());
        prop_assert_eq!(&visited[..], &expected[begin..cut.1.min(expected.len()).max(begin)]);
    }

    #[test]
    fn span_and_contiguity_are_what_the_positions_say(layout in layouts()) {
        let positions = positions(&layout);
        let span = positions.iter().min().copied().zip(positions.iter().max().copied());
        prop_assert_eq!(layout.span(), span);
        let gapless = positions.iter().enumerate().all(|(i, &p)| p == 1000 + i as isize);
        prop_assert_eq!(layout.is_contiguous(), gapless);
    }

    #[test]
    fn reshape_keeps_the_order_of_elements(layout in layouts(), seed in any::<u64>()) {
        // Another factorisation of the number of elements.
        let mut rest = layout.numel().unwrap();
        let mut shape = Vec::new();
        let mut seed = seed;
        while rest > 1 {
            let factor = (1..=rest).filter(|f| rest.is_multiple_of(*f)).nth((seed % 3) as usize).unwrap_or(rest);
            shape.push(factor);
            rest /= factor;
            seed = seed / 3 + 1;
        }
        if rest == 0 {
            shape.push(0);
        }
        match layout.reshape(&shape[..]) {
            Ok(view) => {
                prop_assert_eq!(view.shape(), &Shape::from(&shape[..]));
                prop_assert_eq!(positions(&view), positions(&layout));
            }
            Err(LayoutError::NeedsCopy { .. }) => {
                prop_assert!(!layout.is_contiguous());
                // No strides would do: the elements along some new axis do not lie evenly.
                let old = positions(&layout);
                let new = Layout::contiguous(&shape[..]);
                let even = shape.iter().enumerate().all(|(axis, &size)| {
                    let steps: Vec<isize> = indices(&shape)
                        .iter()
                        .filter(|index| index[axis] + 1 < size)
                        .map(|index| {
                            let here = position(&new, index) as usize;
                            old[here + new.strides()[axis] as usize] - old[here]
                        })
                        .collect();
                    steps.windows(2).all(|pair| pair[0] == pair[1])
                });
                prop_assert!(!even, "{} can be viewed as {:?}", layout, shape);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn views_pick_the_elements_they_name(layout in layouts(), axis in 0usize..6, a in 0usize..4, b in 0usize..4, step in -3isize..4) {
        let Some(&size) = layout.shape().get(axis) else {
            let missing = LayoutError::Axis { axis: axis as i128, rank: layout.rank() };
            prop_assert_eq!(layout.slice(axis, 0..0, 1).unwrap_err(), missing.clone());
            prop_assert_eq!(layout.select(axis, 0).unwrap_err(), missing.clone());
            prop_assert_eq!(layout.squeeze(axis).unwrap_err(), missing.clone());
            prop_assert_eq!(layout.transpose(axis, 0).unwrap_err(), missing);
            return Ok(());
        };
        let taken: Option<Vec<usize>> = match step {
            _ if a > b || b > size => None,
            0 => None,
            1.. => Some((a..b).step_by(step as usize).collect()),
            _ => Some((a..b).rev().step_by(step.unsigned_abs()).collect()),
        };
        let at = |axis: usize, i: usize| -> Vec<isize> {
            indices(layout.shape()).iter().filter(|index| index[axis] == i).map(|index| position(&layout, index)).collect()
        };
        match (layout.slice(axis, a..b, step), taken) {
            (Ok(view), Some(taken)) => {
                prop_assert_eq!(view.shape()[axis], taken.len());
                for (i, from) in taken.into_iter().enumerate() {
                    let got: Vec<isize> =
                        indices(view.shape()).iter().filter(|index| index[axis] == i).map(|index| position(&view, index)).collect();
                    prop_assert_eq!(got, at(axis, from));
                }
            }
            (got, taken) => prop_assert!(got.is_err() && taken.is_none(), "{:?} {:?}", got, taken),
        }
        match layout.select(axis, a) {
            Ok(view) => prop_assert_eq!(positions(&view), at(axis, a)),
            Err(_) => prop_assert!(a >= size),
        }
        prop_assert_eq!(layout.squeeze(axis).is_ok(), size == 1);
        let wider = layout.unsqueeze(axis).unwrap();
        prop_assert_eq!(positions(&wider), positions(&layout));
        prop_assert_eq!(wider.is_contiguous(), layout.is_contiguous());
        prop_assert_eq!(wider.squeeze(axis).unwrap(), layout.clone());

        let other = a % layout.rank();
        let swapped = layout.transpose(axis, other).unwrap();
        let mut axes: Vec<usize> = (0..layout.rank()).collect();
        axes.swap(axis, other);
        prop_assert_eq!(&layout.permute(&axes).unwrap(), &swapped);
        for index in indices(layout.shape()) {
            let mut moved = index.clone();
            moved.swap(axis, other);
            prop_assert_eq!(position(&swapped, &moved), position(&layout, &index));
        }
    }

    #[test]
    fn broadcast_repeats_axes_of_size_one(layout in layouts(), other in shapes()) {
        let Ok(common) = broadcast(layout.shape(), &Shape::from(&other[..])) else { return Ok(()) };
        let view = layout.broadcast_to(&common).unwrap();
        prop_assert_eq!(view.shape(), &common);
        let missing = common.rank() - layout.rank();
        for index in indices(&common) {
            let own: Vec<usize> =
                index[missing..].iter().zip(layout.shape().iter()).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect();
            prop_assert_eq!(position(&view, &index), position(&layout, &own));
        }
        prop_assert_eq!(layout.broadcast_to(&other[..]).is_ok(), *common == other[..]);
    }

    /// Nothing a caller can pass makes the library panic.
    #[test]
    fn extreme_values_do_not_panic(
        shape in prop::collection::vec(prop_oneof![any::<usize>(), 0usize..3, Just(usize::MAX)], 0..10),
        strides in prop::collection::vec(prop_oneof![any::<isize>(), -1isize..2, Just(isize::MIN)], 0..10),
        offset in any::<usize>(),
        axis in 0usize..10,
        index in any::<usize>(),
    ) {
        let contiguous = Layout::contiguous(&shape[..]);
        for layout in [Layout::new(&shape[..], &strides, offset).unwrap_or(contiguous.clone()), contiguous] {
            let _ = (layout.span(), layout.is_contiguous(), layout.numel(), layout.to_string());
            let _ = (layout.slice(axis, 0..index, offset as isize), layout.select(axis, index));
            let _ = (layout.slice(axis, index..offset, isize::MIN), layout.squeeze(axis), layout.unsqueeze(axis));
            let _ = (layout.permute(&[axis, 0]), layout.transpose(axis, 0), layout.reshape([index, offset]));
            let _ = layout.broadcast_to([index, 1, offset]);
        }
        let walk = Walk::new(&shape, [&strides]);
        walk.for_each_run_in(index, index.saturating_add(3), |_, _| {});
    }
}

/// As NumPy broadcasts: axes are aligned to the right, and an operand that lacks the outer ones is repeated along them.
#[test]
fn operands_with_fewer_axes_are_repeated() {
    let walk = Walk::new(&[2, 3, 4], [&[12, 4, 1], &[4, 1], &[1], &[]]);
    let expected: Vec<[isize; 4]> = (0..24).map(|index| [index, index % 12, index % 4, 0]).collect();
    let each: Vec<_> = (0..24).map(|index| walk.offsets_at(index)).collect();
    assert_eq!(each, expected);
}

#[test]
fn merging_leaves_the_fewest_runs() {
    let walk = Walk::new(&[2, 1, 3, 4], [&[12, 99, 4, 1], &[0, 0, 0, 0]]);
    assert!(walk.is_single_run());
    assert_eq!((walk.inner_len(), walk.inner_strides()), (24, [1, 0]));
    let row = Walk::new(&[2, 3, 4], [&[12, 4, 1], &[4, 1]]);
    assert_eq!((row.inner_len(), row.is_single_run()), (12, false));
    let scalar = Walk::new(&[], [&[]]);
    let mut runs = Vec::new();
    scalar.for_each_run(|offsets, len| runs.push((offsets, len)));
    assert_eq!(runs, [([0], 1)]);
    Walk::new(&[3, 0], [&[1, 1]]).for_each_run(|_, _| panic!("there are no elements"));
}

#[test]
fn a_span_that_cannot_be_addressed_is_clamped() {
    let layout = Layout::new([usize::MAX, 2], &[isize::MAX, isize::MIN], 0).unwrap();
    assert_eq!(layout.span(), Some((isize::MIN, isize::MAX)));
    assert_eq!(Layout::new([2, 0], &[isize::MAX, 1], 5).unwrap().span(), None);
}

#[test]
fn errors_say_what_does_not_fit() {
    let layout = Layout::contiguous([2, 3]);
    let text = |error: LayoutError| error.to_string();
    assert_eq!(text(layout.select(2, 0).unwrap_err()), "axis 2 does not exist: the tensor has 2 axes");
    let line = Layout::contiguous([3]);
    assert_eq!(text(line.select(1, 0).unwrap_err()), "axis 1 does not exist: the tensor has 1 axis");
    assert_eq!(text(layout.select(0, 2).unwrap_err()), "index 2 does not exist on axis 0 of size 2");
    let backwards = std::ops::Range { start: 2, end: 1 };
    assert_eq!(text(layout.slice(1, backwards, 1).unwrap_err()), "range 2..1 ends before it starts");
    assert_eq!(
        text(layout.slice(1, 1..5, 1).unwrap_err()),
        "range 1..5 does not lie within axis 1 of size 3"
    );
    assert_eq!(
        text(layout.transpose(0, 1).unwrap().reshape([6]).unwrap_err()),
        "[3, 2] with strides [1, 3] cannot be viewed as [6] without a copy; make it contiguous first"
    );
    assert_eq!(
        text(layout.reshape([4]).unwrap_err()),
        "shape [2, 3] cannot become [4]: the numbers of elements differ"
    );
    assert_eq!(
        text(layout.broadcast_to([1, 3]).unwrap_err()),
        "shape [2, 3] does not broadcast to [1, 3]: the result would be larger than [1, 3]"
    );
    assert_eq!(text(layout.permute(&[0, 0]).unwrap_err()), "[0, 0] is not a permutation of the 2 axes");
    assert_eq!(text(Layout::new([2], &[], 0).unwrap_err()), "shape [2] has 1 axes but 0 strides were given");
}
