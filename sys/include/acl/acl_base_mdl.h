/**
 * Descriptions of tensors, as the older operator interface takes them.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bounds of the size of an axis. */
#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
/** Number of axes of a tensor of any shape. */
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

/** A description of a tensor. */
typedef struct aclTensorDesc aclTensorDesc;

/**
 * Describes a tensor. NULL on failure.
 * @param dataType of the elements
 * @param numDims number of axes
 * @param dims their sizes; -1 for any
 * @param format order in memory
 */
aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims, aclFormat format);

/** Frees a description. */
void aclDestroyTensorDesc(const aclTensorDesc *desc);

/**
 * Returns the size of an axis.
 * @param desc the description
 * @param index the axis
 * @param dimSize receives the size
 */
aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize);

/** Returns the order of the elements in memory; -1 on failure. */
aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);

/** Returns the number of axes; 0 on failure. */
size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);

/** Returns the size of the elements in bytes; 0 on failure and for a shape that is not known. */
size_t aclGetTensorDescSize(const aclTensorDesc *desc);

/** Returns the type of the elements; -1 on failure. */
aclDataType aclGetTensorDescType(const aclTensorDesc *desc);

/**
 * States that the tensor has a value that never changes.
 * @param desc the description
 * @param dataBuffer the value
 * @param length its bytes
 */
aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length);

/**
 * Names a tensor.
 * @param desc the description
 * @param name its name
 */
void aclSetTensorDescName(aclTensorDesc *desc, const char *name);

/**
 * Sets the order of the elements on the device.
 * @param desc the description
 * @param format the order
 */
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);

/**
 * Sets the side, host or device, where a tensor lies.
 * @param desc the description
 * @param memType the side
 */
aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType);

/**
 * Sets the shape on the device.
 * @param desc the description
 * @param numDims number of axes
 * @param dims their sizes
 */
aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims);

/**
 * Bounds the sizes of the axes.
 * @param desc the description
 * @param dimsCount number of axes
 * @param dimsRange least and greatest size of each
 */
aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);

#ifdef __cplusplus
}
#endif

#endif
