//! Random numbers: which ones they are, and of how many bits.

use aclnn::{DType, Generator, Tensor};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::Setting;

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "random-numbers",
        "Which numbers does InplaceUniform draw with seed 0 and offset 0?",
        "Those of Philox 4x32-10, as the 950 does it: fractions of the low 23 bits of each word.",
        random_numbers,
    ),
    Probe::new(
        "random-bits-of-f64",
        "How many bits have random numbers of f64?",
        "23, as they are computed in f32.",
        random_bits_of_f64,
    ),
    Probe::new(
        "whole-numbers-below-zero",
        "How does InplaceRandom make whole numbers of a range with negative ones?",
        "It cuts fractions off, so that 0 comes twice as often as others.",
        whole_numbers_below_zero,
    ),
    Probe::new(
        "bits-of-a-mask",
        "Which bit of a dropout mask is that of the first element?",
        "The lowest one of the first byte; a bit that is set keeps its element.",
        bits_of_a_mask,
    ),
    Probe::new(
        "rows-of-a-multinomial",
        "Are the rows of a tensor of more than 5000 elements drawn from with the same fractions?",
        "No: each row has its own.",
        rows_of_a_multinomial,
    ),
];

fn random_numbers(setting: &Setting) -> Result<Answer> {
    // The first block for a key and a counter of zeros, as the authors of Philox publish it.
    let words = [0x6627_e8d5_u32, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8];
    let expected = words.map(|word| (word & 0x7F_FFFF) as f32 / 8_388_608.0);
    let found = Tensor::rand(&setting.device, [4], DType::F32, &mut Generator::new(0))?.to_vec::<f32>()?;
    Ok(Answer::as_assumed(found == expected, format!("{found:?}")))
}

fn random_bits_of_f64(setting: &Setting) -> Result<Answer> {
    let found = Tensor::rand(&setting.device, [4096], DType::F64, &mut Generator::new(1))?.to_vec::<f64>()?;
    let bits =
        |number: &f64| (0..64).find(|bits| (number * f64::from(*bits).exp2()).fract() == 0.0).unwrap_or(64);
    let most = found.iter().map(bits).max().unwrap_or(0);
    Ok(Answer::as_assumed(most == 23, format!("{most} at most")))
}

fn whole_numbers_below_zero(setting: &Setting) -> Result<Answer> {
    let mut drawn = Tensor::zeros(&setting.device, [7000], DType::I32)?;
    drawn.random_in_place(-3..4, &mut Generator::new(2))?;
    let drawn = drawn.to_vec::<i32>()?;
    let counts: Vec<usize> =
        (-3..4).map(|number| drawn.iter().filter(|drawn| **drawn == number).count()).collect();
    let zeros = counts.get(3).copied().unwrap_or_default();
    let text = format!("of 7000 draws from -3..4, the numbers occur {counts:?} times");
    Ok(Answer::as_assumed((1700..2300).contains(&zeros), text))
}

fn bits_of_a_mask(setting: &Setting) -> Result<Answer> {
    let mut bytes = [0_u8; 16];
    bytes[0] = 0b0000_0111;
    let mask = Tensor::from_slice(&setting.device, &bytes, [16])?;
    let kept = Tensor::ones(&setting.device, [8], DType::F32)?.dropout_by(&mask, 0.5)?.to_vec::<f32>()?;
    let text = format!("with the lowest three bits set, eight ones become {kept:?}");
    Ok(Answer::as_assumed(kept == [2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0], text))
}

fn rows_of_a_multinomial(setting: &Setting) -> Result<Answer> {
    let weights = Tensor::ones(&setting.device, [2, 4000], DType::F32)?;
    let drawn = weights.multinomial(64, true, &mut Generator::new(3))?.to_vec::<i64>()?;
    let (first, second) = drawn.split_at(64);
    let same = first.iter().zip(second).filter(|(a, b)| a == b).count();
    Ok(Answer::as_assumed(same < 32, format!("{same} of 64 positions are the same in two equal rows")))
}
