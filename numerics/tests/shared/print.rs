//! Arrays as text, as NumPy prints them. `xtask/golden/print.py` describes the file.

#![allow(clippy::unwrap_used)]

use aclnn_numerics::{DType, Layout, print};

/// The elements that are printed, out of those of a contiguous tensor.
fn excerpt(shape: &[usize], bytes: &[u8], size: usize) -> Vec<u8> {
    let printed = print::excerpt(&Layout::contiguous(shape)).unwrap();
    // Every index of the excerpt, counted up like the digits of a number.
    let count = printed.numel().unwrap();
    let positions = (0..count).map(|mut number| {
        let axes = printed.shape().iter().zip(printed.strides()).rev();
        axes.fold(printed.offset(), |position, (&size, &stride)| {
            let index = number % size;
            number /= size;
            position + index * stride as usize
        })
    });
    positions.flat_map(|position| &bytes[position * size..][..size]).copied().collect()
}

#[test]
fn arrays_are_printed_as_numpy_does_it() {
    let cases = include_str!("../data/print.txt").trim_end().split("# ").skip(1);
    let mut count = 0;
    for case in cases {
        let (head, rest) = case.split_once('\n').unwrap();
        let (bytes, expected) = rest.split_once('\n').unwrap();
        let [dtype, sizes, precision] = head.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let dtype: DType = dtype.parse().unwrap();
        let sizes = sizes.trim_matches(['[', ']']).split(',').filter(|size| !size.is_empty());
        let shape: Vec<usize> = sizes.map(|size| size.parse().unwrap()).collect();
        let digits = |i| u8::from_str_radix(&bytes[i..i + 2], 16).unwrap();
        let bytes: Vec<u8> = (0..bytes.len()).step_by(2).map(digits).collect();
        let elements = excerpt(&shape, &bytes, dtype.bits().div_ceil(8));

        let text = print::Text::new(dtype, &shape[..], &elements);
        let precision: usize = precision.parse().unwrap();
        assert_eq!(format!("{text:.precision$}"), expected.trim_end(), "{head}");
        if precision == 8 {
            assert_eq!(text.to_string(), expected.trim_end(), "{head}");
        }
        count += 1;
    }
    assert!(count > 200, "{count}");
}

#[test]
fn types_that_numpy_lacks() {
    let print =
        |dtype, shape: &[usize], elements: &[u8]| print::Text::new(dtype, shape, elements).to_string();
    // 2⁻² · 1.5, −2⁻¹ · 1, and what is not finite.
    assert_eq!(
        print(DType::HiF8, &[2, 2], &[0, 0x34, 0x98, 0x6E]),
        "[[ 0.0000e+00,  3.7500e-01],\n [-5.0000e-01,  3.2768e+04]]"
    );
    assert_eq!(print(DType::HiF8, &[3], &[0x80, 0x6F, 0xEF]), "[ nan,  inf, -inf]");
    assert_eq!(print(DType::HiF4, &[], &[0xD]), "-1.25");
    assert_eq!(print(DType::U1, &[3], &[1, 0, 1]), "[1, 0, 1]");
    // 0.1 + 1000j and nan - infj in binary16.
    assert_eq!(print(DType::C32, &[], &[0x66, 0x2E, 0xD0, 0x63]), "0.1+1.e+03j");
    assert_eq!(print(DType::C32, &[], &[0x00, 0x7E, 0x00, 0xFC]), "nan-infj");
    // One bit of sign, one of exponent, two of fraction, whose unit is 1/4.
    assert_eq!(print(DType::F4E1M2, &[3], &[0, 1, 0xF]), "[ 0.  ,  0.25, -1.75]");
}

#[test]
fn missing_elements_do_no_harm() {
    for &dtype in DType::ALL {
        for shape in [vec![3], vec![2, 2], vec![2000]] {
            let text = print::Text::new(dtype, shape, &[0]).to_string();
            assert!(text.starts_with('[') && text.ends_with(']'), "{text}");
        }
    }
}

/// How many words of digits there are.
fn words(text: &str) -> usize {
    text.split(|sign: char| !sign.is_ascii_digit()).filter(|word| !word.is_empty()).count()
}

#[test]
fn printed_elements_are_bounded_whatever_the_rank() {
    let shapes = [
        vec![6; 10],
        vec![7; 10],
        vec![2; 40],
        vec![6; 400],
        vec![1000; 20],
        vec![1, 5, 1, 9, 2, 2, 3, 6, 6, 6, 6, 4, 1],
        vec![usize::MAX / 2; 12],
        vec![1; 100_000],
        [vec![2; 20], vec![1; 100_000]].concat(),
    ];
    for shape in shapes {
        let layout = Layout::contiguous([1]).broadcast_to(shape.as_slice()).unwrap();
        let printed = print::excerpt(&layout).unwrap().numel().unwrap();
        let (all, rank) = (layout.numel().unwrap_or(usize::MAX), shape.len());
        let most = 10_000.min(10_000 * 64 / rank);
        assert!(printed <= most, "{printed} of {all} on {rank} axes");
        // As much as there is room for: one more index on an outer axis would double it at least.
        assert!(printed == all || printed > most / 6 / 2, "{printed} of {all} on {rank} axes");
        // Each is printed, and there are no others.
        let text = print::Text::new(DType::U8, &shape[..], &vec![7; printed]).to_string();
        assert_eq!(words(&text), printed);
        assert!(text.len() < 5_000_000, "{} bytes of {all} elements on {rank} axes", text.len());
        assert_eq!(text.matches('[').count(), text.matches(']').count());
        assert_eq!(text.contains("..."), printed < all);
    }
}

#[test]
fn outer_axes_lose_their_indices_first() {
    let text = |shape: &[usize]| {
        let count: usize = shape.iter().product();
        let all: Vec<u8> = (0..count as u32).flat_map(u32::to_le_bytes).collect();
        print::Text::new(DType::U32, shape, &excerpt(shape, &all, 4)).to_string()
    };
    // 6⁶ elements: of the first two axes both ends, of the others all.
    let lines = text(&[6; 6]);
    assert!(lines.starts_with("[[[[[[    0,     1,     2,     3,     4,     5],\n"), "{lines}");
    assert!(lines.ends_with("46650, 46651, 46652, 46653, 46654, 46655]]]]]]"), "{lines}");
    assert_eq!(lines.lines().filter(|line| line.trim() == "...,").count(), 3);
    assert_eq!(words(&lines), 4 * 6 * 6 * 6 * 6);
    // 2¹⁵ elements: of the first two axes, which have both ends already, the first index.
    let lines = text(&[2; 15]);
    assert!(lines.contains("[8190, 8191]") && !lines.contains("8192"), "{lines}");
    assert!(lines.ends_with(&format!("\n  ...],{}...]", "\n".repeat(14) + " ")), "{lines}");
    assert_eq!(words(&lines), 8192);
}

#[test]
fn layouts_beyond_any_memory_are_printed_in_part() {
    let huge = Layout::contiguous([1]).broadcast_to([usize::MAX / 2]).unwrap();
    let printed = print::excerpt(&huge).unwrap();
    assert_eq!((printed.shape(), printed.strides()), (&[2, 3].into(), &[0, 0][..]));
    let steps = Layout::new([usize::MAX / 4], &[8], 0).unwrap();
    assert!(print::excerpt(&steps).is_err());
}
