/**
 * Types that the functions of memory share; part of `acl_rt.h`.
 */
#ifndef ACL_RT_MEMORY_TYPES_H
#define ACL_RT_MEMORY_TYPES_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Direction of a copy. */
typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    /** The direction follows from the pointers */
    ACL_MEMCPY_DEFAULT = 4,
    ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
    /** Within one device; refused by `aclrtMemcpy` */
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
    /** Between devices; refused by `aclrtMemcpy` */
    ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
} aclrtMemcpyKind;

/** Side on which memory lies. */
typedef enum aclrtMemLocationType {
    ACL_MEM_LOCATION_TYPE_HOST = 0,
    ACL_MEM_LOCATION_TYPE_DEVICE = 1,
    ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
    /** From CANN 9.1.0 on */
    ACL_MEM_LOCATION_TYPE_MANAGED = 3,
    ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4
} aclrtMemLocationType;

/** The place of memory. */
typedef struct aclrtMemLocation {
    /** Number of the device or node */
    uint32_t id;
    aclrtMemLocationType type;
} aclrtMemLocation;

/** A piece of physical memory. */
typedef void *aclrtDrvMemHandle;

/** The way in which a physical allocation can be shared. */
typedef enum aclrtMemHandleType {
    ACL_MEM_HANDLE_TYPE_NONE = 0,
    /** From CANN 9.1.0 on */
    ACL_MEM_HANDLE_TYPE_POSIX = 2
} aclrtMemHandleType;

#ifdef __cplusplus
}
#endif

#endif
