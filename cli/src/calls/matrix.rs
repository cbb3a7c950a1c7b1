//! Products of matrices and vectors.

use aclnn::DType;
use aclnn::ops::{self, AddMatmul};

use super::function::functions;
use super::operation::Direct;

functions! {
    matmul(own: tensor, other: tensor, precision: precision = "keep")[Matmul Mm BatchMatMul Mv] =>
        ops::matmul(own, other).precision(precision);
    dot(own: tensor, other: tensor)[Dot] => Direct(|| own.dot(other));
    outer(own: tensor, other: tensor)[Ger] => Direct(|| own.outer(other));
    addmm(own: tensor, left: tensor, right: tensor, alpha: scalar = "1", beta: scalar = "1",
        precision: precision = "keep", dtype: optional_dtype)[Addmm] =>
        sum(ops::addmm(own, left, right).alpha(alpha).beta(beta).precision(precision), dtype);
    baddbmm(own: tensor, left: tensor, right: tensor, alpha: scalar = "1", beta: scalar = "1",
        precision: precision = "keep", dtype: optional_dtype)[Baddbmm] =>
        sum(ops::baddbmm(own, left, right).alpha(alpha).beta(beta).precision(precision), dtype);
    addbmm(own: tensor, left: tensor, right: tensor, alpha: scalar = "1", beta: scalar = "1",
        precision: precision = "keep", dtype: optional_dtype)[Addbmm] =>
        sum(ops::addbmm(own, left, right).alpha(alpha).beta(beta).precision(precision), dtype);
    addmv(own: tensor, left: tensor, right: tensor, alpha: scalar = "1", beta: scalar = "1",
        precision: precision = "keep", dtype: optional_dtype)[Addmv] =>
        sum(ops::addmv(own, left, right).alpha(alpha).beta(beta).precision(precision), dtype);
    addr(own: tensor, left: tensor, right: tensor, alpha: scalar = "1", beta: scalar = "1",
        precision: precision = "keep", dtype: optional_dtype)[Addr] =>
        sum(ops::addr(own, left, right).alpha(alpha).beta(beta).precision(precision), dtype);
}

fn sum<'a>(
    product: AddMatmul<'a>,
    dtype: Option<DType>,
) -> Direct<impl FnOnce() -> aclnn::Result<aclnn::Tensor> + use<'a>> {
    let product = match dtype {
        Some(dtype) => product.dtype(dtype),
        None => product,
    };
    Direct(move || product.run())
}
