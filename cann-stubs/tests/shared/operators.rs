//! Operators against the cases that the scripts in `xtask/golden` made with NumPy, SciPy and PyTorch: contiguous, and
//! through views with gaps and the axes in another order.

use crate::support::Device;
use crate::support::cases::check_all;

/// Runs the cases of the product that the tests emulate; `own_process/products.rs` runs those of the others.
fn run(file: &[u8], product: &str) {
    let _device = Device::set();
    assert!(check_all(file, product) > 0);
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
fn sorting_search_and_unique_elements() {
    run(include_bytes!("../data/sorting.cases"), "Ascend910B");
}
