//! Small images of handwritten digits.

use aclnn::{DType, Device, Result, Tensor};

use crate::network::PIXELS;

/// Images `[count, PIXELS]` of f16, and which digits they show.
pub(crate) struct Digits {
    pub(crate) pixels: Tensor,
    pub(crate) labels: Tensor,
}

/// The digits to learn, and every fifth, which is held out.
///
/// They come from "Optical Recognition of Handwritten Digits" (E. Alpaydin and C. Kaynak, 1998; UCI Machine Learning
/// Repository, CC BY 4.0). `digits.py` wrote the file: pixels from 0 to 16, and the digit behind them.
pub(crate) fn digits(device: &Device) -> Result<[Digits; 2]> {
    let bytes = include_bytes!("../digits.bin");
    let (rows, _) = bytes.as_chunks::<{ PIXELS + 1 }>();
    let table = Tensor::from_slice(device, bytes, [rows.len(), PIXELS + 1])?;
    let (held_out, learned): (Vec<i64>, Vec<i64>) = (0..rows.len() as i64).partition(|row| row % 5 == 0);
    let chosen = |rows: Vec<i64>| -> Result<Digits> {
        let chosen = table.index_select(0, &Tensor::from_slice(device, &rows, [rows.len()])?)?;
        let pixels = (chosen.slice(1, ..PIXELS)?.cast(DType::F32)? / 16)?.cast(DType::F16)?;
        Ok(Digits { pixels, labels: chosen.select(1, PIXELS)?.cast(DType::I64)? })
    };
    Ok([chosen(learned)?, chosen(held_out)?])
}
