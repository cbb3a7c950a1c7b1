//! Codes of HCCL: those of `HcclResult`. They are small numbers, which no other code of CANN is.

super::code::codes! { HcclResult:
    HCCL_E_PARA "an argument is not valid for the collective"
        => "compare counts, element types, operations, roots and root information of all ranks";
    HCCL_E_PTR "a required pointer is NULL";
    HCCL_E_MEMORY "memory cannot be used" => "look how much memory host and device have left";
    HCCL_E_INTERNAL "internal error of HCCL"
        => "read the library's own words; without any, check that toolkit and driver are of one release";
    HCCL_E_NOT_SUPPORT "HCCL does not have this here"
        => "compare element type and operation with what HCCL takes on this product";
    HCCL_E_NOT_FOUND "something does not exist that is needed"
        => "the process that made the root information must live until all ranks have joined";
    HCCL_E_UNAVAIL "a resource is not available";
    HCCL_E_SYSCALL "a call of the operating system failed";
    HCCL_E_TIMEOUT "another rank did not come in time"
        => "see whether every rank lives, and calls the same collectives in the same order";
    HCCL_E_OPEN_FILE_FAILURE "a file cannot be opened";
    HCCL_E_TCP_CONNECT "no connection by TCP could be made"
        => "check that the hosts reach each other, and which network interface HCCL uses";
    HCCL_E_ROCE_CONNECT "no connection by RoCE could be made"
        => "check the network of the devices, and that their links are up";
    HCCL_E_TCP_TRANSFER "a transfer by TCP failed";
    HCCL_E_ROCE_TRANSFER "a transfer by RoCE failed";
    HCCL_E_RUNTIME "a call into the runtime failed" => "the recent message names it";
    HCCL_E_DRV "the driver failed";
    HCCL_E_PROFILING "profiling failed";
    HCCL_E_CCE "the compute cores failed";
    HCCL_E_NETWORK "the network failed";
    HCCL_E_AGAIN "the call is to be repeated";
    HCCL_E_REMOTE "another rank has failed, or is gone" => "look at what the other ranks report";
    HCCL_E_SUSPENDING "the communicator is suspended";
    HCCL_E_OPRETRY_FAIL "a collective failed again when it was repeated";
    HCCL_E_OOM "memory is used up" => "ask for a smaller buffer of communication, or free tensors";
    HCCL_E_IN_STATUS "the failure is that of the communicator, not of the call"
        => "make a new group";
    HCCL_E_RESERVED "no failure has this code, which ends the list";
}
