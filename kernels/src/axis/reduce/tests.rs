//! Leaves and columns, with all instructions.

use aclnn_numerics::DType::{self, BF16, F16, F32};
use half::{bf16, f16};

use super::*;
use crate::{Choice, choose};

/// Columns that are no whole number of blocks.
const COLUMNS: usize = 64 + LANES + 3;

fn element(dtype: DType, x: f32) -> Vec<u8> {
    match dtype {
        F16 => f16::from_f32(x).to_ne_bytes().to_vec(),
        BF16 => bf16::from_f32(x).to_ne_bytes().to_vec(),
        _ => x.to_ne_bytes().to_vec(),
    }
}

/// The states of results whose elements are the same, lane by lane.
fn by_rows(loops: &dyn Loops, elements: &[Vec<u8>]) -> Vec<u64> {
    let (lanes, planes) = (elements.len().min(LANES), loops.planes());
    let mut states = vec![0; lanes * COLUMNS * planes];
    loops.clear(&mut states, lanes * COLUMNS, 0);
    let rows: Vec<Vec<Line>> = elements
        .iter()
        .map(|element| {
            let mut lines = Vec::new();
            bytes_of(&mut lines, COLUMNS * element.len()).copy_from_slice(&element.repeat(COLUMNS));
            lines
        })
        .collect();
    let bytes = elements[0].len() * COLUMNS;
    for lane in 0..lanes {
        let own = rows[lane..].iter().step_by(LANES).map(|lines| &bytemuck::cast_slice(lines)[..bytes]);
        loops.add(&mut states, lane * COLUMNS, &own.collect::<Vec<&[u8]>>(), 0, 0);
    }
    loops::fold(loops, &mut states, COLUMNS, elements.len());
    let length = states.len() / planes;
    states.chunks_exact(length).flat_map(|plane| plane[..COLUMNS].to_vec()).collect()
}

/// Expected is the sum in f64 of numbers whose sums are exact in f32, and the greatest number.
#[test]
fn leaves_are_the_same_with_all_instructions_and_where_they_are_columns() {
    let functions = [
        (Function::Sum, F32),
        (Function::Sum, F16),
        (Function::Sum, BF16),
        (Function::Product, F32),
        (Function::Greatest, F32),
        (Function::LogSumExp(true), F32),
        (Function::LogSumExp(false), F32),
    ];
    for (function, dtype) in functions {
        let (element_type, _) = function.types(dtype).unwrap();
        let (loops, _) = function.loops(element_type).unwrap();
        for count in [1, 2, 15, 16, 17, 100, 127, 128, 129, 300, 2000] {
            let numbers: Vec<f32> = (0..count).map(|index| (index * 37 % 101) as f32 / 4.0 - 9.0).collect();
            let elements: Vec<Vec<u8>> = numbers.iter().map(|x| element(dtype, *x)).collect();
            let mut all = Vec::new();
            bytes_of(&mut all, elements.concat().len()).copy_from_slice(&elements.concat());
            let all = &bytemuck::cast_slice::<Line, u8>(&all)[..elements.concat().len()];
            let mut found: Option<Vec<u64>> = None;
            for instructions in 0..4 {
                let before = choose(Choice { instructions: Some(instructions), block: None });
                let mut leaf = vec![0; loops.planes()];
                let is_leaf = loops.leaf(&mut leaf, 0, all, 0);
                let rows = by_rows(&*loops, &elements);
                choose(before);
                let own: Vec<u64> = rows.chunks_exact(COLUMNS).map(|plane| plane[0]).collect();
                assert!(rows.chunks_exact(COLUMNS).all(|plane| plane.iter().all(|word| *word == plane[0])));
                assert!(!is_leaf || leaf == own, "{function:?} of {dtype}, {count}, {instructions}");
                let found = found.get_or_insert_with(|| own.clone());
                assert_eq!(*found, own, "{function:?} of {dtype}, {count}, {instructions}");
            }
            let expected = match function {
                Function::Sum => numbers.iter().map(|x| f64::from(*x)).sum(),
                Function::Greatest => numbers.iter().map(|x| f64::from(*x)).fold(f64::NEG_INFINITY, f64::max),
                _ => continue,
            };
            assert_eq!(found.map(|words| f64::from_bits(words[0])), Some(expected), "{dtype}, {count}");
        }
    }
}

/// By their bits; the numbers of f16 are the table of IEEE 754.
#[test]
fn infinities_nans_and_subnormals_of_16_bits_are_summed_as_they_are() {
    let sum = |dtype: DType, bits: u16| {
        let (loops, _) = Function::Sum.loops(dtype).unwrap();
        let rows = by_rows(&*loops, &[bits.to_ne_bytes().to_vec()]);
        f64::from_bits(rows[0])
    };
    for (bits, expected) in [
        (0x0001, 2_f64.powi(-24)),
        (0x83FF, -1023.0 * 2_f64.powi(-24)),
        (0x0400, 2_f64.powi(-14)),
        (0x7BFF, 65504.0),
        (0x7C00, f64::INFINITY),
        (0xFC00, f64::NEG_INFINITY),
    ] {
        assert_eq!(sum(F16, bits), expected, "{bits:#x}");
    }
    assert_eq!(sum(BF16, 0x8001), -(2_f64.powi(-133)));
    assert_eq!(sum(BF16, 0x7F80), f64::INFINITY);
    assert!(
        [(F16, 0x7C01), (F16, 0xFE00), (BF16, 0x7F81)]
            .iter()
            .all(|(dtype, bits)| sum(*dtype, *bits).is_nan())
    );
    let (loops, _) = Function::Greatest.loops(F32).unwrap();
    for place in [0, 5, 200, 499] {
        let x = |index| if index == place { f32::NAN } else { index as f32 };
        let elements: Vec<Vec<u8>> = (0..500).map(|index| element(F32, x(index))).collect();
        assert!(f64::from_bits(by_rows(&*loops, &elements)[0]).is_nan(), "{place}");
    }
}
