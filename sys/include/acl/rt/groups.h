/**
 * Groups of cores, and the schedulers of a device; part of `acl_rt.h`.
 */
#ifndef ACL_RT_GROUPS_H
#define ACL_RT_GROUPS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of the groups of cores. */
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

/** Makes room for what is known of the groups. NULL on failure. */
aclrtGroupInfo *aclrtCreateGroupInfo(void);

/** Frees what `aclrtCreateGroupInfo` made. */
aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo);

/** Asks for the groups of the current device. */
aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo);

/** Tells a number that describes a group. */
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void *attrValue, uint64_t valueLen, uint64_t *paramRetSize);

/** Chooses the scheduler of the device for this thread. */
aclError aclrtSetTsDevice(aclrtTsId tsId);

#ifdef __cplusplus
}
#endif

#endif
