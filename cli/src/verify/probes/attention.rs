//! Attention: rows that see nothing, and where bands begin.

use std::ffi::CString;
use std::ptr;

use aclnn::DType::{Bool, F16, F32};
use aclnn::{Tensor, ops};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, plan};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "masked-query",
        "What does FlashAttentionScore give for a query of which a mask hides every key?",
        "The mean of all values, since masked scores are equal; zeros where innerPrecise is 2.",
        masked_query,
    ),
    Probe::new(
        "band-of-attention",
        "From which diagonal do the tokens before and after a query count in sparseMode 4?",
        "From the one to the last query and key, as in sparseMode 3.",
        band_of_attention,
    ),
    Probe::new(
        "queries-behind-their-length",
        "What does FusedInferAttentionScore write for queries behind the length of their sequence?",
        "Zeros.",
        queries_behind_their_length,
    ),
];

/// Rows and columns of the mask of a band.
const TRIANGLE: usize = 2048;

/// Elements of a token.
const SIZE: i64 = 16;

/// The results of queries that match every key alike: for each, the mean of the values of the keys that it sees, each
/// a power of two by the number of the key.
fn means(
    setting: &Setting,
    [queries, keys]: [i64; 2],
    mask: (&[bool], &[i64]),
    [precise, sparse]: [i64; 2],
) -> Result<Vec<f32>> {
    let (of_queries, of_keys) = ([1, 1, queries, SIZE], [1, 1, keys, SIZE]);
    let zeros = vec![0_f32; (queries.max(keys) * SIZE) as usize];
    let powers: Vec<f32> = (0..keys * SIZE).map(|at| 2_f32.powi((at / SIZE) as i32)).collect();
    let memory = [setting.filled(&zeros)?, setting.filled(&powers)?, setting.filled(mask.0)?];
    let [zeros_at, powers_at, mask_at] = memory.each_ref().map(|memory| memory.handle);
    let results = [setting.filled(&zeros)?, setting.filled(&zeros)?, setting.filled(&zeros)?];
    let [out_at, max_at, sum_at] = results.each_ref().map(|memory| memory.handle);
    let query = setting.tensor(F32, &of_queries, zeros_at)?;
    let (key, value) = (setting.tensor(F32, &of_keys, zeros_at)?, setting.tensor(F32, &of_keys, powers_at)?);
    let mask = setting.tensor(Bool, mask.1, mask_at)?;
    let known = [1, 1, queries, 8];
    let (max, sum) = (setting.tensor(F32, &known, max_at)?, setting.tensor(F32, &known, sum_at)?);
    let out = setting.tensor(F32, &of_queries, out_at)?;
    let layout = CString::new("BNSD")?.into_raw();
    let planned = plan!(
        setting,
        FlashAttentionScore(
            query.handle,
            key.handle,
            value.handle,
            ptr::null(),
            ptr::null(),
            ptr::null(),
            mask.handle,
            ptr::null(),
            1.0,
            1.0,
            1,
            0,
            1,
            layout,
            precise,
            sparse,
            max.handle,
            sum.handle,
            ptr::null(),
            out.handle
        )
    );
    // SAFETY: it comes from `into_raw`, and nothing else uses it any more.
    drop(unsafe { CString::from_raw(layout) });
    setting.finish(&planned)?;
    let found = setting.download::<f32>(out_at, (queries * SIZE) as usize)?;
    Ok(found.into_iter().step_by(SIZE as usize).collect())
}

fn masked_query(setting: &Setting) -> Result<Answer> {
    let of = |precise| means(setting, [1, 4], (&[true; 4], &[1, 4]), [precise, 1]);
    let (plain, cleared) = (of(0)?, of(2)?);
    let text = format!("values of 1, 2, 4 and 8 give {plain:?}, and {cleared:?} where innerPrecise is 2");
    Ok(Answer::as_assumed(plain == [3.75] && cleared == [0.0], text))
}

fn band_of_attention(setting: &Setting) -> Result<Answer> {
    let triangle: Vec<bool> = (0..TRIANGLE * TRIANGLE).map(|at| at % TRIANGLE > at / TRIANGLE).collect();
    let found = means(setting, [2, 4], (&triangle, &[TRIANGLE as i64; 2]), [0, 4])?;
    let text =
        format!("two queries see one key before their own, of values of 1, 2, 4 and 8 the means {found:?}");
    Ok(Answer::as_assumed(found == [3.0, 6.0], text))
}

fn queries_behind_their_length(setting: &Setting) -> Result<Answer> {
    let ones = Tensor::ones(&setting.device, [1, 1, 2, 16], F16)?;
    // The result may get the memory of this one.
    drop(Tensor::ones(&setting.device, [1, 1, 2, 16], F16)?);
    let out = ops::attention(&ones, &ones, &ones).lengths(&[1], &[2]).run()?;
    let found = out.cast(F32)?.to_vec::<f32>()?;
    let behind = found.last().copied().unwrap_or_default();
    let text = format!("a query in its length has {:?}, the one behind it {behind:?}", found.first());
    Ok(Answer::as_assumed(behind == 0.0, text))
}
