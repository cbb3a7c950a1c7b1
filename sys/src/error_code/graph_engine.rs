//! Codes of the graph engine: 145…, 245…, 345…, 545….

super::code::codes! {
    ACL_ERROR_GE_PARAM_INVALID "an argument is not valid";
    ACL_ERROR_GE_EXEC_NOT_INIT "the graph executor is not initialised";
    ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID "the path of the model is not valid";
    ACL_ERROR_GE_EXEC_MODEL_ID_INVALID "there is no model of this number";
    ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID "the size of the model is not valid";
    ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID "the address of the model is not valid";
    ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID "there is no queue of this number";
    ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED "the model is loaded already";
    ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID "the address of a dynamic input is not valid";
    ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID "the length of a dynamic input is not valid";
    ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID "the dynamic batch size is not valid";
    ACL_ERROR_GE_AIPP_BATCH_EMPTY "the batch of the preprocessing is empty";
    ACL_ERROR_GE_AIPP_NOT_EXIST "the model has no preprocessing";
    ACL_ERROR_GE_AIPP_MODE_INVALID "the mode of the preprocessing is not valid";
    ACL_ERROR_GE_OP_TASK_TYPE_INVALID "the task type of an operator is not valid";
    ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID "the kernel type of an operator is not valid";
    ACL_ERROR_GE_PLGMGR_PATH_INVALID "the path of the plug-ins is not valid";
    ACL_ERROR_GE_FORMAT_INVALID "the tensor format is not valid";
    ACL_ERROR_GE_SHAPE_INVALID "the shape is not valid";
    ACL_ERROR_GE_DATATYPE_INVALID "the element type is not valid";

    ACL_ERROR_GE_MEMORY_ALLOCATION "memory cannot be allocated" => "release memory, or work on less at a time";
    ACL_ERROR_GE_MEMORY_OPERATE_FAILED "an operation on memory failed";
    ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED "an operation on device memory failed";

    ACL_ERROR_GE_SUBHEALTHY "the system runs in a degraded state";
    ACL_ERROR_GE_USER_RAISE_EXCEPTION "the user's code raised an exception";
    ACL_ERROR_GE_DATA_NOT_ALIGNED "data is not aligned";

    ACL_ERROR_GE_INTERNAL_ERROR "internal error of the graph engine";
    ACL_ERROR_GE_LOAD_MODEL "the model cannot be loaded";
    ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED "a model partition cannot be loaded";
    ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED "a weight partition cannot be loaded";
    ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED "a task partition cannot be loaded";
    ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED "a kernel partition cannot be loaded";
    ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA "the data of the model cannot be released";
    ACL_ERROR_GE_COMMAND_HANDLE "a command failed";
    ACL_ERROR_GE_GET_TENSOR_INFO "the description of a tensor cannot be read";
    ACL_ERROR_GE_UNLOAD_MODEL "the model cannot be unloaded";
    ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT "the model did not finish in time";
    ACL_ERROR_GE_REDEPLOYING "the model is being deployed anew";
}
