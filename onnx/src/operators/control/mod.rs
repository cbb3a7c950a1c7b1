//! Control flow: If, Loop, Scan.

mod branches;
mod loops;
mod results;
mod scan;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::graphs("If", 1, branches::branches),
    Operator::graphs("Loop", 1, loops::loops),
    Operator::graphs("Scan", 8, scan::of_batches),
    Operator::graphs("Scan", 9, scan::scan),
];
