//! Factors of matrices: signs, and matrices that have no result.

use aclnn::Tensor;
use aclnn::ops::QrMode;
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::Setting;

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "signs-of-qr",
        "Which signs have the factors of LinalgQr?",
        "Those of LAPACK: an element on the diagonal of R has the other sign than the one that it replaces.",
        signs_of_qr,
    ),
    Probe::new(
        "inverse-of-a-singular-matrix",
        "What does Inverse do with a matrix that has no inverse?",
        "The work fails, and the stream reports it.",
        |setting| without_result(&matrix(setting, [1.0, 2.0, 2.0, 4.0])?.inverse()?),
    )
    .dangerous(),
    Probe::new(
        "factor-of-an-indefinite-matrix",
        "What does LinalgCholesky do with a matrix that is not positive-definite?",
        "The work fails, and the stream reports it.",
        |setting| without_result(&matrix(setting, [1.0, 2.0, 2.0, 1.0])?.cholesky(false)?),
    )
    .dangerous(),
];

fn matrix(setting: &Setting, elements: [f32; 4]) -> Result<Tensor> {
    Ok(Tensor::from_slice(&setting.device, &elements, [2, 2])?)
}

fn without_result(result: &Tensor) -> Result<Answer> {
    Ok(match result.to_vec::<f32>() {
        Ok(elements) => Answer::wrong(format!("the result is {elements:?}")),
        Err(why) => Answer::right(format!("the work failed: {why}")),
    })
}

fn signs_of_qr(setting: &Setting) -> Result<Answer> {
    let diagonal = |elements| -> Result<Vec<f32>> {
        Ok(matrix(setting, elements)?.qr(QrMode::Reduced)?.1.diagonal(0, 0, 1)?.to_vec()?)
    };
    let (positive, negative) = (diagonal([3.0, 1.0, 4.0, 2.0])?, diagonal([-3.0, 1.0, 4.0, 2.0])?);
    let text = format!("the diagonal of R of [3, 1, 4, 2] is {positive:?}, of [-3, 1, 4, 2] {negative:?}");
    let first = |diagonal: &[f32]| diagonal.first().is_some_and(|first| *first < 0.0);
    Ok(Answer::as_assumed(first(&positive) && !first(&negative), text))
}
