/**
 * Memory that host and devices reach by one address, and further kinds of memory; part of `acl_rt.h`.
 */
#ifndef ACL_RT_MANAGED_MEMORY_H
#define ACL_RT_MANAGED_MEMORY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Memory is reached by every stream. */
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U

#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U

/** Advice on the use of memory that moves between host and devices. */
typedef enum aclrtMemManagedAdviseType {
    ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
    ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5
} aclrtMemManagedAdviseType;

/** A kind of place for such memory. */
typedef enum aclrtMemManagedLocationType {
    ACL_MEM_LOCATIONTYPE_INVALID = 0,
    ACL_MEM_LOCATIONTYPE_DEVICE = 1,
    ACL_MEM_LOCATIONTYPE_HOST = 2,
    ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
    ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4
} aclrtMemManagedLocationType;

/** A question about such memory. */
typedef enum aclrtMemManagedRangeAttribute {
    ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} aclrtMemManagedRangeAttribute;

/** A link by which mapped memory is reached. */
typedef enum aclrtMemLinkType {
    ACL_RT_MEM_ACCESS_LINK_SIO = 0,
    ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
    ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
    ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3
} aclrtMemLinkType;

/** A place for such memory. */
typedef struct aclrtMemManagedLocation {
    aclrtMemManagedLocationType type;
    int32_t id;
} aclrtMemManagedLocation;

/** Allocates memory that host and devices reach by one address. */
aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);

/** Gives the runtime advice on the use of such memory. */
aclError aclrtMemManagedAdvise(const void *const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location);

/** Answers a question about such memory. */
aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr, uint64_t size, void *data,
                                uint64_t dataSize);

/** Answers several questions about such memory. */
aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes, uint64_t numAttributes, const void *ptr,
                                 uint64_t size, void **data, uint64_t *dataSizes);

/** Moves such memory in stream order. */
aclError aclrtMemManagedPrefetchAsync(const void *ptr, uint64_t size, aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream);

/** Moves several pieces of such memory in stream order. */
aclError aclrtMemManagedPrefetchBatchAsync(const void **ptrs, uint64_t *sizes, uint64_t count,
                                           aclrtMemManagedLocation *prefetchLocs, uint64_t *prefetchLocIdxs,
                                           uint64_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

/** Returns whether all addresses lie in memory of a kind. */
aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult, uint32_t reserve);

/** Reserves addresses for memory that stays reachable after an error of hardware. */
aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, uint64_t size, uint64_t alignment, void *expectPtr,
                                          uint64_t flags);

/** Maps physical memory that no device reaches yet. */
aclError aclrtMemMapNoAccess(void *virPtr, uint64_t size, uint64_t offset, aclrtDrvMemHandle handle, uint64_t flags);

/** Maps memory a second time, to be reached by a link. */
aclError aclrtMemMapSelectedLink(void *virPtrDst, uint64_t size, void *virPtrSrc, uint32_t linkIdx);

/** Sets the preferred link to physical memory. */
aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink);

/** Lets another device reach memory. */
aclError aclrtMemP2PMap(void *devPtr, uint64_t size, int32_t dstDevId, uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif
