//! Codes of the runtime: 107…, 207…, 507….

super::code::codes! {
    ACL_ERROR_RT_PARAM_INVALID "an argument is not valid" => "a copy longer than its target, and before CANN 9.1 one of 0 bytes, give this";
    ACL_ERROR_RT_INVALID_DEVICEID "there is no such device" => "ask aclrtGetDeviceCount how many there are (aclnn: Device::count)";
    ACL_ERROR_RT_CONTEXT_NULL "this thread has no context" => "call aclrtSetDevice or aclrtSetCurrentContext on this thread";
    ACL_ERROR_RT_STREAM_CONTEXT "the stream belongs to another context" => "make the stream's context current first";
    ACL_ERROR_RT_MODEL_CONTEXT "the model belongs to another context";
    ACL_ERROR_RT_STREAM_MODEL "the stream belongs to another model";
    ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID "the event keeps no time" => "make it with ACL_EVENT_TIME_LINE, and record it";
    ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL "the end came before the start" => "pass the earlier event first";
    ACL_ERROR_RT_ADDR_UNALIGNED "an address is not aligned"
        => "pass an address as an allocation returned it";
    ACL_ERROR_RT_FILE_OPEN "a file cannot be opened";
    ACL_ERROR_RT_FILE_WRITE "a file cannot be written";
    ACL_ERROR_RT_STREAM_SUBSCRIBE "the stream is not subscribed, or by another thread";
    ACL_ERROR_RT_THREAD_SUBSCRIBE "the thread is not subscribed" => "call aclrtSubscribeReport first";
    ACL_ERROR_RT_GROUP_NOT_SET "no group is set";
    ACL_ERROR_RT_GROUP_NOT_CREATE "the group is not created";
    ACL_ERROR_RT_STREAM_NO_CB_REG "no callback is registered for the stream";
    ACL_ERROR_RT_INVALID_MEMORY_TYPE "the kind of memory is not valid"
        => "check whether the pointer is of the host or the device, and the kind of the copy";
    ACL_ERROR_RT_INVALID_HANDLE "a handle is not valid" => "look for a stream or event that was destroyed before";
    ACL_ERROR_RT_INVALID_MALLOC_TYPE "the kind of allocation is not valid";
    ACL_ERROR_RT_WAIT_TIMEOUT "the wait took too long"
        => "look for work that never ends, such as a wait for an event that is not recorded; else raise the time-out";
    ACL_ERROR_RT_TASK_TIMEOUT "a task took too long" => "work on less at a time, or raise the time-out of operators";
    ACL_ERROR_RT_SYSPARAMOPT_NOT_SET "the switch was never set";
    ACL_ERROR_RT_DEVICE_TASK_ABORT "the tasks of the device were aborted"
        => "reset the device, and make streams and memory anew";
    ACL_ERROR_RT_STREAM_ABORT "the stream was aborted"
        => "make a new stream, and compute what was queued on this one again";
    ACL_ERROR_RT_CAPTURE_DEPENDENCY "a captured stream depends on something outside the capture";
    ACL_ERROR_RT_STREAM_UNJOINED "a stream of the capture does not lead back to the first one";
    ACL_ERROR_RT_MODEL_CAPTURED "the model is being captured";
    ACL_ERROR_RT_STREAM_CAPTURED "the stream is being captured" => "end the capture first";
    ACL_ERROR_RT_EVENT_CAPTURED "the event is part of a capture" => "end the capture first";
    ACL_ERROR_RT_STREAM_NOT_CAPTURED "the stream is not being captured";
    ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT "the call is not allowed in this capture mode";
    ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT "the default stream cannot take part in a capture";
    ACL_ERROR_STREAM_CAPTURE_CONFLICT "two captures meet";
    ACL_ERROR_STREAM_TASK_GROUP_STATUS "the task group is in a state that does not allow this";
    ACL_ERROR_STREAM_TASK_GROUP_INTR "the task group was interrupted";
    ACL_ERROR_RT_TASK_ABORT_STOP "aborting tasks was stopped";
    ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED "the capture did not begin on this stream";
    ACL_ERROR_RT_MODEL_RUNNING "the model is running";
    ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD "the capture began on another thread";
    ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY "the array is too short";
    ACL_ERROR_RT_MODEL_UPDATE_FAILED "the model cannot be updated";
    ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC "the capture mode does not allow asynchronous work";
    ACL_ERROR_RT_SYMBOL_NOT_FOUND "there is no such symbol in the binary";
    ACL_ERROR_RT_INVALID_SYMBOL "the symbol is not valid";
    ACL_ERROR_RT_INVALID_DEVICE_FUNCTION "the device function is not valid";
    ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING "a graph inside the graph is being captured";

    ACL_ERROR_RT_FEATURE_NOT_SUPPORT "the feature is not supported"
        => "look for another way, or use a later release of CANN and its driver";
    ACL_ERROR_RT_MEMORY_ALLOCATION "memory cannot be allocated"
        => "release memory, work on less at a time, or look with npu-smi for other processes on the device";
    ACL_ERROR_RT_MEMORY_FREE "memory cannot be released" => "check that the pointer came from an allocation and was not released before";
    ACL_ERROR_RT_AICORE_OVER_FLOW "arithmetic overflowed on an AI core"
        => "scale the operands, or compute in a wider type";
    ACL_ERROR_RT_NO_DEVICE "there is no device"
        => "check with npu-smi that the driver sees one";
    ACL_ERROR_RT_RESOURCE_ALLOC_FAIL "a resource cannot be allocated"
        => "destroy what is not used any more, or use fewer processes on the device";
    ACL_ERROR_RT_NO_PERMISSION "permission denied" => "check that the user belongs to the group that owns the devices";
    ACL_ERROR_RT_NO_EVENT_RESOURCE "no event is left" => "destroy events that are not used any more";
    ACL_ERROR_RT_NO_STREAM_RESOURCE "no stream is left" => "destroy streams that are not used any more";
    ACL_ERROR_RT_NO_NOTIFY_RESOURCE "no notify is left"
        => "destroy what is not used any more, or use fewer processes on the device";
    ACL_ERROR_RT_NO_MODEL_RESOURCE "no model is left"
        => "destroy what is not used any more, or use fewer processes on the device";
    ACL_ERROR_RT_NO_CDQ_RESOURCE "no dispatch queue is left";
    ACL_ERROR_RT_OVER_LIMIT "a limit is exceeded"
        => "destroy what is not used any more, or use fewer processes on the device";
    ACL_ERROR_RT_QUEUE_EMPTY "the queue is empty";
    ACL_ERROR_RT_QUEUE_FULL "the queue is full";
    ACL_ERROR_RT_REPEATED_INIT "initialised already";
    ACL_ERROR_RT_AIVEC_OVER_FLOW "arithmetic overflowed on a vector core"
        => "scale the operands, or compute in a wider type";
    ACL_ERROR_RT_OVER_FLOW "arithmetic overflowed" => "scale the operands, or compute in a wider type";
    ACL_ERROR_RT_DEVICE_OOM "the device is out of memory"
        => "release memory, work on less at a time, or look with npu-smi for other processes on the device";
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP "this operator cannot be updated";
    ACL_ERROR_RT_TIMEOUT "it took too long"
        => "look for work that never ends, such as a wait for an event that is not recorded; else raise the time-out";
    ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED "the kind of link is not supported";

    ACL_ERROR_RT_INTERNAL_ERROR "internal error of the runtime"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_RT_TS_ERROR "the task scheduler failed"
        => "check with npu-smi that the driver sees the device and that it is healthy";
    ACL_ERROR_RT_STREAM_TASK_FULL "the stream holds as many tasks as it can"
        => "synchronise now and then, so that less is queued at a time";
    ACL_ERROR_RT_STREAM_TASK_EMPTY "the stream holds no task";
    ACL_ERROR_RT_STREAM_NOT_COMPLETE "the stream has work left" => "synchronise it, or ask again later";
    ACL_ERROR_RT_END_OF_SEQUENCE "the sequence has ended";
    ACL_ERROR_RT_EVENT_NOT_COMPLETE "the event is not complete" => "wait for it, or ask again later";
    ACL_ERROR_RT_CONTEXT_RELEASE_ERROR "the context cannot be released"
        => "check that no other thread still uses the device";
    ACL_ERROR_RT_SOC_VERSION "the product is not the expected one"
        => "install the operator binaries for this SoC, and run what was compiled for it";
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT "the kind of task is not supported";
    ACL_ERROR_RT_LOST_HEARTBEAT "the device does not answer" => "reset the device; if it stays away, look at the driver's log";
    ACL_ERROR_RT_MODEL_EXECUTE "the model failed";
    ACL_ERROR_RT_REPORT_TIMEOUT "no report came in time"
        => "look for work that never ends, such as a wait for an event that is not recorded; else raise the time-out";
    ACL_ERROR_RT_SYS_DMA "a memory transfer failed"
        => "check that source and target of the copy are still allocated and large enough";
    ACL_ERROR_RT_AICORE_TIMEOUT "an AI core took too long"
        => "work on less at a time, or raise the time-out of operators";
    ACL_ERROR_RT_AICORE_EXCEPTION "an AI core failed"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_AICORE_TRAP_EXCEPTION "an AI core stopped at a trap"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_AICPU_TIMEOUT "the AI CPU took too long"
        => "work on less at a time, or raise the time-out of operators";
    ACL_ERROR_RT_AICPU_EXCEPTION "the AI CPU failed"
        => "check that the product takes the element type; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR "the AI CPU could not dump data";
    ACL_ERROR_RT_AICPU_MODEL_RSP_ERR "the AI CPU could not run the model";
    ACL_ERROR_RT_PROFILING_ERROR "profiling failed";
    ACL_ERROR_RT_IPC_ERROR "communication between processes failed";
    ACL_ERROR_RT_MODEL_ABORT_NORMAL "the model was ended early, as asked";
    ACL_ERROR_RT_KERNEL_UNREGISTERING "the kernel is being unregistered";
    ACL_ERROR_RT_RINGBUFFER_NOT_INIT "the ring buffer is not initialised";
    ACL_ERROR_RT_RINGBUFFER_NO_DATA "the ring buffer is empty";
    ACL_ERROR_RT_KERNEL_LOOKUP "the kernel is not registered"
        => "check that the operator binaries for this SoC are installed, not only the toolkit";
    ACL_ERROR_RT_KERNEL_DUPLICATE "the kernel is registered already";
    ACL_ERROR_RT_DEBUG_REGISTER_FAIL "debugging cannot be turned on";
    ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL "debugging cannot be turned off";
    ACL_ERROR_RT_LABEL_CONTEXT "the label belongs to another context";
    ACL_ERROR_RT_PROGRAM_USE_OUT "no program slot is left";
    ACL_ERROR_RT_DEV_SETUP_ERROR "the device cannot be set up"
        => "check with npu-smi that the device is healthy and that no other process holds it";
    ACL_ERROR_RT_VECTOR_CORE_TIMEOUT "a vector core took too long"
        => "work on less at a time, or raise the time-out of operators";
    ACL_ERROR_RT_VECTOR_CORE_EXCEPTION "a vector core failed"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION "a vector core stopped at a trap"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_CDQ_BATCH_ABNORMAL "a batch of the dispatch queue failed";
    ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR "the mode of the dies cannot be changed";
    ACL_ERROR_RT_DIE_SET_ERROR "the die cannot be set";
    ACL_ERROR_RT_INVALID_DIEID "there is no such die";
    ACL_ERROR_RT_DIE_MODE_NOT_SET "the mode of the dies is not set";
    ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW "an AI core read out of bounds"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW "an AI core wrote out of bounds"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW "a vector core read out of bounds"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW "a vector core wrote out of bounds"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT "the stream or device did not finish in time"
        => "look for work that never ends, such as a wait for an event that is not recorded; else raise the time-out";
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT "the event was not complete in time"
        => "look for work that never ends, such as a wait for an event that is not recorded; else raise the time-out";
    ACL_ERROR_RT_FFTS_PLUS_TIMEOUT "a task graph took too long"
        => "work on less at a time, or raise the time-out of operators";
    ACL_ERROR_RT_FFTS_PLUS_EXCEPTION "a task graph failed"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION "a task graph stopped at a trap"
        => "look for memory released too early or too small; synchronise after each operator (aclnn: ACLNN_SYNC=1) to find which";
    ACL_ERROR_RT_SEND_MSG "a message cannot be sent";
    ACL_ERROR_RT_COPY_DATA "data cannot be copied"
        => "check that source and target are still allocated and large enough";
    ACL_ERROR_RT_DEVICE_MEM_ERROR "device memory failed"
        => "check the device with npu-smi; use another one, or have it repaired";
    ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR "device memory failed beyond correction"
        => "check the device with npu-smi; use another one, or have it repaired";
    ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR "device memory may have failed"
        => "check the device with npu-smi; use another one, or have it repaired";
    ACL_ERROR_RT_LINK_ERROR "a link between devices failed"
        => "check the device with npu-smi; use another one, or have it repaired";
    ACL_ERROR_RT_SUSPECT_REMOTE_ERROR "another device may have failed"
        => "check the device with npu-smi; use another one, or have it repaired";
    ACL_ERROR_RT_DRV_INTERNAL_ERROR "internal error of the driver"
        => "check with npu-smi that the driver sees the device and that it is healthy";
    ACL_ERROR_RT_AICPU_INTERNAL_ERROR "internal error of the AI CPU"
        => "read the library's own words; without any, check that toolkit, operator binaries and driver are of one release";
    ACL_ERROR_RT_SOCKET_CLOSE "the connection to the device was closed"
        => "check with npu-smi that the driver sees the device and that it is healthy";
    ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR "the AI CPU could not load its tables";
    ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED "the capture became invalid by an earlier call"
        => "end this capture and begin a new one";
    ACL_ERROR_RT_COMM_OP_RETRY_FAIL "a collective operator failed again when repeated";
    ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT "the process could not be locked for a snapshot in time";
    ACL_ERROR_SNAPSHOT_LOCK_FAILED "the process cannot be locked for a snapshot";
    ACL_ERROR_SNAPSHOT_UNLOCK_FAILED "the process cannot be unlocked after a snapshot";
    ACL_ERROR_SNAPSHOT_BACKUP_FAILED "the snapshot cannot be taken";
    ACL_ERROR_SNAPSHOT_RESTORE_FAILED "the snapshot cannot be restored";
    ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED "the host memory is registered already"
        => "register it once, and unregister it before it is freed";
    ACL_ERROR_HOST_MEMORY_NOT_REGISTERED "the host memory is not registered" => "call aclrtHostRegister first";
    ACL_ERROR_SNAPSHOT_CALLBACK_FAILED "a callback of the snapshot failed";
    ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED "a callback of the snapshot cannot be registered";
    ACL_ERROR_RT_L3_PORT_ERROR "a port of the interconnect failed";
    ACL_ERROR_RT_CCU_TIMEOUT "the collective unit took too long";
    ACL_ERROR_RT_CCU_EXCEPTION "the collective unit failed";
}
