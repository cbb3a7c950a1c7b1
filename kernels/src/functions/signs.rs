//! Signs in bits. Bytes are numbers in f32.

/// Packs the signs of eight numbers each in a byte, the first in the lowest bit, which is 1 where a number is not negative.
pub fn pack_signs(x: &[f32], bytes: &mut [f32]) {
    for (byte, x) in bytes.iter_mut().zip(x.chunks(8)) {
        let bits = x.iter().enumerate().map(|(bit, x)| u8::from(*x >= 0.0) << bit);
        *byte = f32::from(bits.sum::<u8>());
    }
}

/// Unpacks what [`pack_signs`] packs, as 1 and −1.
pub fn unpack_signs(bytes: &[f32], out: &mut [f32]) {
    for (out, byte) in out.chunks_mut(8).zip(bytes) {
        for (bit, out) in out.iter_mut().enumerate() {
            *out = if *byte as u8 >> bit & 1 == 1 { 1.0 } else { -1.0 };
        }
    }
}
