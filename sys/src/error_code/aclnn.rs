//! Codes of operators: 161…, 361…, 561….

super::code::codes! {
    ACLNN_ERR_PARAM_NULLPTR "a required pointer is NULL"
        => "look for a tensor or scalar that could not be made: its type may be one CANN does not take there";
    ACLNN_ERR_PARAM_INVALID "an operand or attribute is not valid for the operator"
        => "compare element types, shapes and attributes with what the operator accepts";
    ACLNN_ERR_RUNTIME_ERROR "a call into the runtime failed" => "the recent message names it";

    ACLNN_ERR_INNER "internal error of the operator library"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACLNN_ERR_INNER_INFERSHAPE_ERROR "the shape of the result cannot be inferred"
        => "compare the shapes with what the operator accepts";
    ACLNN_ERR_INNER_TILING_ERROR "the work cannot be divided for the device"
        => "compare shapes and element types with what the operator accepts on this product; check that the operator binaries for this SoC are installed, not only the toolkit";
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR "there is no kernel for these operands"
        => "cast to another element type, or make the tensors contiguous; check that the operator binaries for this SoC are installed, not only the toolkit";
    ACLNN_ERR_INNER_CREATE_EXECUTOR "the executor cannot be made"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR "the executor was not handed over to the caller";
    ACLNN_ERR_INNER_NULLPTR "an internal pointer is NULL" => "check that executor and tensor are not NULL";
    ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE "the description of an attribute has a wrong size";
    ACLNN_ERR_INNER_KEY_CONFLICT "two kernels have one key";
    ACLNN_ERR_INNER_INVALID_IMPL_MODE "the implementation mode is not valid";
    ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND "the directory of operator packages is not known"
        => "source the set_env.sh of CANN, which sets ASCEND_OPP_PATH";
    ACLNN_ERR_INNER_LOAD_JSON_FAILED "a description of kernels cannot be read"
        => "check that the user may read the operator binaries, and install them anew";
    ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND "a description of kernels lacks a value"
        => "install toolkit and operator binaries of one release";
    ACLNN_ERR_INNER_JSON_FORMAT_INVALID "a description of kernels names an invalid format"
        => "install toolkit and operator binaries of one release";
    ACLNN_ERR_INNER_JSON_DTYPE_INVALID "a description of kernels names an invalid element type"
        => "install toolkit and operator binaries of one release";
    ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND "the kernel package is missing"
        => "install the operator binaries for this SoC beside the toolkit, of the same release";
    ACLNN_ERR_INNER_OP_FILE_INVALID "the file of a kernel is not valid" => "install the operator binaries anew";
    ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND "there are more attributes than the kernel has";
    ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH "an attribute is shorter than the kernel expects";
    ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE "a description of kernels names too many inputs";
    ACLNN_ERR_INNER_INPUT_JSON_IS_NULL "a description of kernels names no inputs";
    ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID "a precompiled kernel states an invalid workspace";
    ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID "a precompiled kernel states an invalid number of blocks";
}
