/**
 * Channels that carry data to the queues of a model.
 */
#ifndef ACL_ACL_TDT_H
#define ACL_ACL_TDT_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kind of item. */
typedef enum acltdtTensorType {
    ACL_TENSOR_DATA_UNDEFINED = -1,
    ACL_TENSOR_DATA_TENSOR = 0,
    ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
    ACL_TENSOR_DATA_ABNORMAL = 2,
    ACL_TENSOR_DATA_SLICE_TENSOR = 3,
    ACL_TENSOR_DATA_END_TENSOR = 4
} acltdtTensorType;

/** A tensor on its way. */
typedef struct acltdtDataItem acltdtDataItem;

/** Tensors that go together. */
typedef struct acltdtDataset acltdtDataset;

/** A channel. */
typedef struct acltdtChannelHandle acltdtChannelHandle;

/** Makes a channel to a device. NULL on failure. */
acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);

/** Discards the contents of a channel. */
aclError acltdtCleanChannel(acltdtChannelHandle *handle);

/** Counts the items in a channel. */
aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, uint64_t *size);

/** Puts tensors into a channel. */
aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset, int32_t timeout);

/** Describes a tensor. NULL on failure. */
acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, uint64_t dimNum,
                                     aclDataType dataType, void *data, uint64_t size);

/** Frees the description of a tensor. */
aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);

/** Returns the kind of an item. */
acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);

/** Returns the number of slices of a tensor, and the position of an item among them. */
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, uint64_t *sliceNum, uint64_t *sliceId);

/** Adds a tensor to those that go together. */
aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);

/** Returns the name of tensors that go together. */
const char *acltdtGetDatasetName(const acltdtDataset *dataset);

#ifdef __cplusplus
}
#endif

#endif
