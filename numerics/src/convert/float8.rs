//! The loops between f32 and the floats of up to eight bits, one code per byte.

use super::level::{Halves, Levels, Loop};
use super::small::{FloatEncoder, PowerEncoder};
use super::values::Values;
use super::{convert_bytes, hif8};

/// The conversion of codes to f32.
pub(crate) struct Decode;

impl Loop for Decode {
    const LEVELS: Levels = Levels::Both;

    type Settings = Values;

    #[inline(always)]
    fn run(halves: impl Halves, values: &Values, source: &[u8], target: &mut [u8]) {
        halves.look_up(values, source, target);
    }
}

/// The conversion of f32 to codes.
pub(crate) struct Encode;

impl Loop for Encode {
    const LEVELS: Levels = Levels::Both;

    type Settings = FloatEncoder;

    #[inline(always)]
    fn run(halves: impl Halves, encoder: &FloatEncoder, source: &[u8], target: &mut [u8]) {
        halves.encode(encoder, source, target);
    }
}

/// The conversion of f32 to f8e8m0.
pub(crate) struct EncodePower;

impl Loop for EncodePower {
    const LEVELS: Levels = Levels::Avx2;

    type Settings = PowerEncoder;

    #[inline(always)]
    fn run(_: impl Halves, encoder: &PowerEncoder, source: &[u8], target: &mut [u8]) {
        let encoder = *encoder;
        convert_bytes(source, target, |value: f32| encoder.encode(value));
    }
}

/// The conversion of f32 to HiF8.
pub(crate) struct EncodeHiF8;

impl Loop for EncodeHiF8 {
    const LEVELS: Levels = Levels::Both;

    type Settings = ();

    #[inline(always)]
    fn run(_: impl Halves, _: &(), source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, hif8::encode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::level::Level;
    use crate::convert::levels::SHARE;
    use crate::convert::small::{Beyond, FloatFormat};
    use crate::dtype::DType;

    /// Every sign, exponent and upper bits of a fraction, with the bits below all zero, one, half and all one; without
    /// optimisation a share of them.
    #[test]
    fn every_instruction_set_encodes_to_the_same_codes() {
        let values: Vec<u8> = (0..=u16::MAX)
            .step_by(SHARE)
            .flat_map(|upper| [0, 1, 0x7FFF, 0x8000, 0xFFFF].map(|lower| u32::from(upper) << 16 | lower))
            .flat_map(u32::to_le_bytes)
            .collect();
        let formats = DType::ALL.iter().filter_map(|&dtype| FloatFormat::of(dtype));
        let beyond = [Beyond::Largest, Beyond::Special];
        let pairs = beyond.into_iter().flat_map(|overflow| beyond.map(|infinite| (overflow, infinite)));
        for (format, (overflow, infinite)) in
            formats.flat_map(|format| pairs.clone().map(move |pair| (format, pair)))
        {
            let Some(encoder) = format.encoder(overflow, infinite) else { continue };
            let expected: Vec<u8> = values
                .chunks_exact(4)
                .map(|bytes| encoder.encode(bytemuck::pod_read_unaligned(bytes)))
                .collect();
            for level in Level::all() {
                let mut codes = vec![0; expected.len()];
                level.compiled::<Encode>()(&encoder, &values, &mut codes);
                assert!(codes == expected, "{level:?}: {format:?}, {overflow:?}, {infinite:?}");
            }
        }
    }
}
