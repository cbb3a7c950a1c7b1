/**
 * Groups of cores, and the schedulers of a device; part of `acl_rt.h`.
 */
#ifndef ACL_RT_GROUPS_H
#define ACL_RT_GROUPS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A description of the groups of cores. */
typedef struct tagRtGroupInfo aclrtGroupInfo;

/** A number that describes a group of cores. */
typedef enum aclrtGroupAttr {
    ACL_GROUP_AICORE_INT = 0,
    ACL_GROUP_AIV_INT = 1,
    ACL_GROUP_AIC_INT = 2,
    ACL_GROUP_SDMANUM_INT = 3,
    ACL_GROUP_ASQNUM_INT = 4,
    ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;

/** A scheduler of a device. */
typedef enum aclrtTsId {
    ACL_TS_ID_AICORE = 0,
    ACL_TS_ID_AIVECTOR = 1,
    ACL_TS_ID_RESERVED = 2
} aclrtTsId;

/** Makes a description of groups of cores. NULL on failure. */
aclrtGroupInfo *aclrtCreateGroupInfo(void);

/** Frees the result of `aclrtCreateGroupInfo`. */
aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo);

/** Reads the groups of the current device. */
aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo);

/** Returns a number that describes a group. */
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void *attrValue, uint64_t valueLen, uint64_t *paramRetSize);

/** Chooses the scheduler of the device for this thread. */
aclError aclrtSetTsDevice(aclrtTsId tsId);

#ifdef __cplusplus
}
#endif

#endif
