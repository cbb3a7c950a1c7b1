//! The signatures of the operators, from their declarations: which element types each takes on each product.

aclnn_sys::arithmetic_operators!(aclnn_numerics::signatures);
aclnn_sys::binary_operators!(aclnn_numerics::signatures);
aclnn_sys::comparison_operators!(aclnn_numerics::signatures);
aclnn_sys::conversion_operators!(aclnn_numerics::signatures);
aclnn_sys::fill_operators!(aclnn_numerics::signatures);
aclnn_sys::histogram_operators!(aclnn_numerics::signatures);
aclnn_sys::index_operators!(aclnn_numerics::signatures);
aclnn_sys::matrix_operators!(aclnn_numerics::signatures);
aclnn_sys::movement_operators!(aclnn_numerics::signatures);
aclnn_sys::pairwise_operators!(aclnn_numerics::signatures);
aclnn_sys::parametric_operators!(aclnn_numerics::signatures);
aclnn_sys::range_operators!(aclnn_numerics::signatures);
aclnn_sys::several_operators!(aclnn_numerics::signatures);
aclnn_sys::reduction_operators!(aclnn_numerics::signatures);
aclnn_sys::scan_operators!(aclnn_numerics::signatures);
aclnn_sys::sorting_operators!(aclnn_numerics::signatures);
aclnn_sys::unary_operators!(aclnn_numerics::signatures);
