//! Views as operands and as results.

use aclnn::{DType, Tensor};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, plan};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "results-through-views",
        "An operator that writes through a view changes the elements of the view alone.",
        results_through_views,
    ),
    Check::new(
        "storage-offsets",
        "An operator that reads and writes the middle of a storage leaves the rest as it was.",
        storage_offsets,
    ),
    Check::new(
        "views-of-views",
        "Slices of transposes of broadcast tensors are read as the safe layer describes them.",
        views_of_views,
    ),
];

fn results_through_views(setting: &Setting) -> Result<Answer> {
    let (input, output) = (setting.filled(&[1_f32, 2.0, 3.0, 4.0])?, setting.filled(&[9_f32; 16])?);
    let own = setting.tensor(DType::F32, &[2, 2], input.handle)?;
    let mut findings = Findings::default();
    for (strides, places) in
        [([2, 1], [0, 1, 2, 3]), ([4, 1], [0, 1, 4, 5]), ([1, 2], [0, 2, 1, 3]), ([6, 3], [0, 3, 6, 9])]
    {
        setting.upload(output.handle, &[9_f32; 16])?;
        let out = setting.view(DType::F32, &[2, 2], Some(&strides), &[16], output.handle)?;
        setting.finish(&plan!(setting, Neg(own.handle, out.handle)))?;
        let mut expected = vec![9_f32; 16];
        for (place, value) in places.into_iter().zip([-1.0, -2.0, -3.0, -4.0]) {
            expected.splice(place..=place, [value]);
        }
        let found = setting.download::<f32>(output.handle, 16)?;
        findings.equal(&format!("strides {strides:?}"), found, expected);
    }
    Ok(findings.answer())
}

fn storage_offsets(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    let whole = Tensor::from_vec(&setting.device, (0..64).map(|value| value as f32).collect(), [64])?;
    let mut part = whole.slice(0, 17..31)?;
    part.copy_from(&part.neg()?)?;
    let expected: Vec<f32> = (0..64)
        .map(|value| value as f32)
        .map(|value| if (17.0..31.0).contains(&value) { -value } else { value })
        .collect();
    findings.equal("the storage", whole.to_vec::<f32>()?, expected);
    Ok(findings.answer())
}

fn views_of_views(setting: &Setting) -> Result<Answer> {
    let rows = Tensor::from_vec(&setting.device, (0..12).collect::<Vec<i32>>(), [3, 4])?;
    let view = rows.transpose(0, 1)?.slice(0, 1..3)?.broadcast_to([2, 2, 3])?;
    let mut findings = Findings::default();
    let expected = vec![1, 5, 9, 2, 6, 10, 1, 5, 9, 2, 6, 10];
    findings.equal("what is read", view.to_vec::<i32>()?, expected.clone());
    let sums: Vec<i32> = expected.iter().map(|value| value + 1).collect();
    findings.equal("what is added to", view.add(1)?.to_vec::<i32>()?, sums);
    Ok(findings.answer())
}
