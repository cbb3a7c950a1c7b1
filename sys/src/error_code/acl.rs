//! Codes of acl itself: 100…, 148…, 200…, 300…, 500….

super::code::codes! {
    ACL_SUCCESS "success";

    ACL_ERROR_INVALID_PARAM "an argument is not valid" => "look for NULL where a pointer is required, and for a size of 0";
    ACL_ERROR_UNINITIALIZE "the runtime is not initialised" => "call aclInit first";
    ACL_ERROR_REPEAT_INITIALIZE "the runtime is initialised already" => "go on: this is no failure";
    ACL_ERROR_INVALID_FILE "a file is missing or cannot be read";
    ACL_ERROR_WRITE_FILE "a file cannot be written" => "check the permissions and the space on the disk";
    ACL_ERROR_INVALID_FILE_SIZE "a file has an unexpected size";
    ACL_ERROR_PARSE_FILE "a file does not parse" => "check that it is valid JSON";
    ACL_ERROR_FILE_MISSING_ATTR "a file lacks an attribute";
    ACL_ERROR_FILE_ATTR_INVALID "an attribute in a file has an invalid value";
    ACL_ERROR_INVALID_DUMP_CONFIG "the dump configuration is not valid";
    ACL_ERROR_INVALID_PROFILING_CONFIG "the profiling configuration is not valid";
    ACL_ERROR_INVALID_MODEL_ID "there is no model of this number";
    ACL_ERROR_DESERIALIZE_MODEL "a model cannot be deserialised";
    ACL_ERROR_PARSE_MODEL "a model does not parse";
    ACL_ERROR_READ_MODEL_FAILURE "a model cannot be read";
    ACL_ERROR_MODEL_SIZE_INVALID "a model has an invalid size";
    ACL_ERROR_MODEL_MISSING_ATTR "a model lacks an attribute";
    ACL_ERROR_MODEL_INPUT_NOT_MATCH "the inputs do not match the model";
    ACL_ERROR_MODEL_OUTPUT_NOT_MATCH "the outputs do not match the model";
    ACL_ERROR_MODEL_NOT_DYNAMIC "the model has fixed shapes";
    ACL_ERROR_OP_TYPE_NOT_MATCH "the operator type does not match";
    ACL_ERROR_OP_INPUT_NOT_MATCH "the inputs do not match the operator";
    ACL_ERROR_OP_OUTPUT_NOT_MATCH "the outputs do not match the operator";
    ACL_ERROR_OP_ATTR_NOT_MATCH "the attributes do not match the operator";
    ACL_ERROR_OP_NOT_FOUND "there is no such operator"
        => "check that the operator binaries for this SoC are installed, not only the toolkit";
    ACL_ERROR_OP_LOAD_FAILED "an operator cannot be loaded"
        => "check that the operator binaries for this SoC are installed, not only the toolkit";
    ACL_ERROR_UNSUPPORTED_DATA_TYPE "the element type is not supported"
        => "cast to a type that the operator takes on this product";
    ACL_ERROR_FORMAT_NOT_MATCH "the tensor format does not match" => "pass tensors in the format ND";
    ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED "no binary selector is registered";
    ACL_ERROR_KERNEL_NOT_FOUND "there is no such kernel"
        => "check that the operator binaries for this SoC are installed, not only the toolkit";
    ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED "a binary selector is registered already";
    ACL_ERROR_KERNEL_ALREADY_REGISTERED "the kernel is registered already";
    ACL_ERROR_INVALID_QUEUE_ID "there is no queue of this number";
    ACL_ERROR_REPEAT_SUBSCRIBE "subscribed already";
    ACL_ERROR_STREAM_NOT_SUBSCRIBE "no thread has subscribed to the stream" => "call aclrtSubscribeReport first";
    ACL_ERROR_THREAD_NOT_SUBSCRIBE "the thread has not subscribed" => "call aclrtSubscribeReport first";
    ACL_ERROR_WAIT_CALLBACK_TIMEOUT "no callback came in time"
        => "check that callbacks are queued on a stream this thread has subscribed to";
    ACL_ERROR_REPEAT_FINALIZE "the runtime has ended already" => "end the runtime once per process";
    ACL_ERROR_NOT_STATIC_AIPP "the preprocessing of the model is not static";
    ACL_ERROR_COMPILING_STUB_MODE "the library is a stand-in for linking and does nothing"
        => "install the driver, or take the devlib directory out of LD_LIBRARY_PATH";
    ACL_ERROR_GROUP_NOT_SET "no group is set";
    ACL_ERROR_GROUP_NOT_CREATE "the group is not created";
    ACL_ERROR_PROF_ALREADY_RUN "profiling runs already";
    ACL_ERROR_PROF_NOT_RUN "profiling does not run";
    ACL_ERROR_DUMP_ALREADY_RUN "dumping runs already";
    ACL_ERROR_DUMP_NOT_RUN "dumping does not run";

    ACL_ERROR_PROF_REPEAT_SUBSCRIBE "the model is subscribed for profiling already";
    ACL_ERROR_PROF_API_CONFLICT "two profiling interfaces are used together";
    ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG "the configured length of the operator queue is not valid";
    ACL_ERROR_INVALID_OPP_PATH "the directory of operator packages is not valid"
        => "source the set_env.sh of CANN, which sets ASCEND_OPP_PATH";
    ACL_ERROR_OP_UNSUPPORTED_DYNAMIC "the operator does not take dynamic shapes";
    ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED "something that depends on the resource still exists"
        => "destroy what was made from it first";
    ACL_ERROR_UNSUPPORTED_JPEG "this kind of JPEG is not supported";
    ACL_ERROR_INVALID_BUNDLE_MODEL_ID "there is no bundled model of this number";

    ACL_ERROR_BAD_ALLOC "memory cannot be allocated" => "release memory, or work on less at a time";
    ACL_ERROR_API_NOT_SUPPORT "the function is not supported here"
        => "look for another function, or use a later release of CANN and its driver";
    ACL_ERROR_INVALID_DEVICE "there is no such device" => "ask aclrtGetDeviceCount how many there are (aclnn: Device::count)";
    ACL_ERROR_MEMORY_ADDRESS_UNALIGNED "an address is not aligned"
        => "pass an address as an allocation returned it";
    ACL_ERROR_RESOURCE_NOT_MATCH "a resource does not belong here" => "check that stream, event and memory are of one device";
    ACL_ERROR_INVALID_RESOURCE_HANDLE "a handle is not valid"
        => "look for a stream or event that was destroyed before";
    ACL_ERROR_FEATURE_UNSUPPORTED "the feature is not supported"
        => "look for another way, or use a later release of CANN and its driver";
    ACL_ERROR_PROF_MODULES_UNSUPPORTED "these modules cannot be profiled";

    ACL_ERROR_STORAGE_OVER_LIMIT "the storage exceeds its limit";

    ACL_ERROR_INTERNAL_ERROR "internal error"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_FAILURE "internal failure"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_GE_FAILURE "the graph engine failed"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_RT_FAILURE "the runtime failed"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_DRV_FAILURE "the driver failed" => "check with npu-smi that the driver sees the device";
    ACL_ERROR_PROFILING_FAILURE "profiling failed";
}
