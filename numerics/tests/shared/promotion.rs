//! Every cell of every promotion table, against files made from the documentation and the library.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::DType;
use aclnn_numerics::promote::{
    Edition, NotPromotable, RevisedScalar, Table, as_printed, promote, promote_scalar,
};

/// (row, column, cell) of a table; `x` is `None`.
fn cells(csv: &str) -> Vec<(DType, DType, Option<DType>)> {
    let mut lines = csv.lines().map(|line| line.split(','));
    let columns: Vec<DType> = lines.next().unwrap().skip(1).map(|name| name.parse().unwrap()).collect();
    let mut cells = Vec::new();
    for mut line in lines {
        let row: DType = line.next().unwrap().parse().unwrap();
        for (&column, cell) in columns.iter().zip(line) {
            cells.push((row, column, (cell != "x").then(|| cell.parse().unwrap())));
        }
    }
    assert_eq!(cells.len(), 256);
    cells
}

#[test]
fn published() {
    for (a, b, printed) in cells(include_str!("../data/promotion_published.csv")) {
        assert_eq!(as_printed(a, b), printed, "{a} {b}");
        let resolved = if (a, b) == (DType::BF16, DType::F16) { Some(DType::F32) } else { printed };
        assert_eq!(promote(a, b).ok(), resolved, "{a} {b}");
        assert_eq!(promote(b, a), promote(a, b).map_err(|e| NotPromotable { a: b, b: a, ..e }), "symmetric");
    }
    assert_eq!(as_printed(DType::BF16, DType::F16), Some(DType::F64));
}

#[test]
fn revised() {
    for (a, b, cell) in cells(include_str!("../data/promotion_revised.csv")) {
        assert_eq!(Edition::Revised.promote(a, b).ok(), cell, "{a} {b}");
    }
}

#[test]
fn library() {
    for (a, b, cell) in cells(include_str!("../data/promotion_library.csv")) {
        assert_eq!(Edition::Library.promote(a, b).ok(), cell, "{a} {b}");
    }
}

#[test]
fn revised_scalar() {
    for (scalar, tensor, cell) in cells(include_str!("../data/promotion_revised_scalar.csv")) {
        assert_eq!(promote_scalar(tensor, scalar).ok(), cell, "tensor {tensor}, scalar {scalar}");
    }
}

#[test]
fn types_outside_the_tables_never_promote() {
    for &outside in DType::ALL.iter().filter(|dtype| !DType::TABLE.contains(dtype)) {
        for &other in DType::ALL {
            for (a, b) in [(outside, other), (other, outside)] {
                assert_eq!(as_printed(a, b), None);
                assert!(Edition::Published.promote(a, b).is_err());
                assert!(Edition::Revised.promote(a, b).is_err());
                assert!(RevisedScalar.promote(a, b).is_err());
                let itself = (a == b && a.acl_code().is_some()).then_some(a);
                assert_eq!(Edition::Library.promote(a, b).ok(), itself, "{a} {b}");
            }
        }
    }
}

#[test]
fn a_refusal_says_why_and_what_to_do() {
    let text = |e: NotPromotable| e.to_string();
    assert_eq!(
        text(promote(DType::F32, DType::U16).unwrap_err()),
        "f32 and u16 do not promote to a common type: u16 promotes only with itself (published promotion table); \
         cast one operand first"
    );
    assert_eq!(
        text(Edition::Library.promote(DType::C64, DType::U16).unwrap_err()),
        "c64 and u16 do not promote to a common type: u16 promotes only with itself in this order of operands \
         (library promotion table); cast one operand first"
    );
    assert_eq!(
        text(promote(DType::F32, DType::F8E5M2).unwrap_err()),
        "f32 and f8e5m2 do not promote to a common type: f8e5m2 is not in the published promotion table; \
         cast one operand first"
    );
    let error = promote_scalar(DType::Bool, DType::U16).unwrap_err();
    assert_eq!(error.edition, Table::TensorScalar(RevisedScalar));
    assert!(text(error).starts_with("tensor bool and scalar u16 do not promote"), "{error}");
}
