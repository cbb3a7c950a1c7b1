//! Operators against the cases that the scripts in `xtask/golden` made with NumPy, SciPy and PyTorch: contiguous, and
//! through views with gaps and the axes in another order.

use crate::support::Device;
use crate::support::cases::{Layout, read_cases};

/// Runs the cases of one product; which product a process emulates is set when it starts.
fn run(file: &[u8], product: &str) {
    let _device = Device::set();
    let cases = read_cases(file);
    let cases: Vec<_> = cases.iter().filter(|case| case.product == product).collect();
    assert!(!cases.is_empty());
    let layouts = [Layout::Contiguous, Layout::Gaps];
    let calls = cases.iter().flat_map(|case| layouts.map(|layout| (case, layout)));
    let failed: Vec<_> = calls
        .filter(|(case, layout)| case.is_possible(*layout))
        .filter_map(|(case, layout)| case.check(layout).err())
        .collect();
    let some: Vec<_> = failed.iter().take(40).map(String::as_str).collect();
    assert!(failed.is_empty(), "{} cases fail, among them:\n{}", failed.len(), some.join("\n"));
}

#[test]
fn functions_of_one_tensor() {
    run(include_bytes!("../data/unary.cases"), "Ascend910B");
}

#[test]
fn comparisons_and_functions_of_two_tensors() {
    run(include_bytes!("../data/pairwise.cases"), "Ascend910B");
}

#[test]
fn indices_and_masks() {
    run(include_bytes!("../data/index.cases"), "Ascend910B");
}
