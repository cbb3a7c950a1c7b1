//! Products of matrices and vectors.

use aclnn::DType;
use aclnn::ops::{self, AddMatmul};

use super::function::functions;
use super::operation::Direct;

functions! {
    matmul(own: tensor, other: tensor, precision: precision = "keep")[Matmul Mm BatchMatMul Mv] =>
        ops::matmul(own, other).precision(precision);
    dot(own: tensor, other: tensor)[Dot] => Direct(|| own.dot(other));
    weight_quant_matmul(x: tensor, weight: tensor, scale: tensor, bias: optional_tensor, group_size: size = "0")
        [WeightQuantBatchMatmulV2] => {
            let product = ops::weight_quant_matmul(x, weight, scale).group_size(group_size);
            Direct(move || bias.map_or(product.clone(), |bias| product.clone().bias(bias)).run())
        };
    quant_matmul(left: tensor, right: tensor, scale: tensor, bias: optional_tensor, dtype: optional_dtype)[QuantMatmulV4] => {
        let product = ops::quant_matmul(left, right, scale).dtype(dtype.unwrap_or(DType::F16));
        Direct(move || bias.map_or(product.clone(), |bias| product.clone().bias(bias)).run())
    };
    grouped_matmul(x: tensor, weight: tensor, ends: tensor, bias: optional_tensor)[GroupedMatmulV3] => {
        let product = ops::grouped_matmul(x, weight, ends);
        Direct(move || bias.map_or(product.clone(), |bias| product.clone().bias(bias)).run())
    };
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
