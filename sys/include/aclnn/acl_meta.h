/**
 * Tensors, scalars, arrays, lists and executors: the arguments of operators. All of them live on the host and describe
 * memory that somebody else owns.
 */
#ifndef ACLNN_ACL_META_H
#define ACLNN_ACL_META_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Result of an aclnn function; the codes are in `aclnn/opdev/op_errno.h`. */
typedef int32_t aclnnStatus;

#ifdef __cplusplus
static const aclnnStatus OK = 0;
#else
enum { OK = 0 };
#endif

/** Shape, strides and type of elements in device memory. */
typedef struct aclTensor aclTensor;
/** One number with its type. */
typedef struct aclScalar aclScalar;
/** Numbers of type int64_t. */
typedef struct aclIntArray aclIntArray;
/** Numbers of type float. */
typedef struct aclFloatArray aclFloatArray;
/** Truth values, one byte each. */
typedef struct aclBoolArray aclBoolArray;
/** Tensors, owned by the list. */
typedef struct aclTensorList aclTensorList;
/** Scalars, owned by the list. */
typedef struct aclScalarList aclScalarList;
/** A prepared call of an operator: made by phase one, used up by phase two unless it is repeatable. */
typedef struct aclOpExecutor aclOpExecutor;

/* Create */

/**
 * Describes elements in device memory. Dimensions and strides are copied, the memory is borrowed. NULL on failure.
 * @param viewDims lengths of the dimensions; NULL with a count of 0 describes a single element
 * @param viewDimsNum number of dimensions
 * @param dataType type of the elements
 * @param stride elements from one index to the next, per dimension; NULL for row-major without gaps
 * @param offset elements from the start of the storage to the first one, at least 0
 * @param format order in memory
 * @param storageDims lengths of the dimensions of the storage
 * @param storageDimsNum number of dimensions of the storage
 * @param tensorData start of the storage; may be NULL and set later
 */
aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData);

/**
 * Copies one number from host memory. NULL where value is NULL or the type is not supported.
 * @param value the number
 * @param dataType its type
 */
aclScalar *aclCreateScalar(void *value, aclDataType dataType);

/**
 * Copies numbers; NULL or no elements give an empty array.
 * @param value the numbers
 * @param size how many
 */
aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);

/**
 * Copies numbers; NULL or no elements give an empty array.
 * @param value the numbers
 * @param size how many
 */
aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size);

/**
 * Copies truth values; NULL or no elements give an empty array.
 * @param value the values, one byte each
 * @param size how many
 */
aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);

/**
 * Makes a list that owns its tensors: they are destroyed with it and not by the caller.
 * @param value the tensors
 * @param size how many
 */
aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size);

/**
 * Makes a list that owns its scalars: they are destroyed with it and not by the caller.
 * @param value the scalars
 * @param size how many
 */
aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size);

/* Destroy */

/** Frees the description, not the memory described. NULL is accepted. */
aclnnStatus aclDestroyTensor(const aclTensor *tensor);

/** Frees a scalar. NULL is accepted. */
aclnnStatus aclDestroyScalar(const aclScalar *scalar);

/** Frees an array. NULL is accepted. */
aclnnStatus aclDestroyIntArray(const aclIntArray *array);

/** Frees an array. NULL is accepted. */
aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);

/** Frees an array. NULL is accepted. */
aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);

/** Frees a list and every tensor in it. NULL is accepted. */
aclnnStatus aclDestroyTensorList(const aclTensorList *array);

/** Frees a list and every scalar in it. NULL is accepted. */
aclnnStatus aclDestroyScalarList(const aclScalarList *array);

/* Ask */

/**
 * Returns the lengths of the dimensions. 161001 for NULL.
 * @param tensor the tensor
 * @param viewDims receives an array made with C++ `new int64_t[]`, which the caller owns
 * @param viewDimsNum receives its length
 */
aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum);

/**
 * Returns the lengths of the dimensions of the storage. 161001 for NULL.
 * @param tensor the tensor
 * @param storageDims receives an array made with C++ `new int64_t[]`, which the caller owns
 * @param storageDimsNum receives its length
 */
aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum);

/**
 * Returns the strides in elements. 161001 for NULL.
 * @param tensor the tensor
 * @param stridesValue receives an array made with C++ `new int64_t[]`, which the caller owns
 * @param stridesNum receives its length
 */
aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum);

/**
 * Returns the number of elements before the first one in the storage. 161001 for NULL.
 * @param tensor the tensor
 * @param offset receives the number
 */
aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);

/**
 * Returns the order of the elements in memory. 161001 for NULL.
 * @param tensor the tensor
 * @param format receives it
 */
aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);

/**
 * Returns the type of the elements. 161001 for NULL.
 * @param tensor the tensor
 * @param dataType receives it
 */
aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType);

/** Returns the number of elements. 161001 for NULL. */
aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);

/** Returns the number of elements. 161001 for NULL. */
aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size);

/** Returns the number of elements. 161001 for NULL. */
aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size);

/** Returns the number of tensors. 161001 for NULL. */
aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size);

/** Returns the number of scalars. 161001 for NULL. */
aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size);

/* Change */

/**
 * Describes other elements with the same object. NULL dimensions or memory change nothing; a NULL tensor gives 161001.
 * @param tensor the tensor
 * @param viewDims as of `aclCreateTensor`, like all that follow
 */
aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
                          uint64_t storageDimsNum, void *tensorData);

/**
 * Moves a tensor to another storage. 161001 for a NULL tensor.
 * @param tensor the tensor
 * @param addr start of the storage; the offset of the tensor comes on top
 */
aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr);

/**
 * Returns the start of the storage, without the offset. 161001 for NULL.
 * @param tensor the tensor
 * @param addr receives it
 */
aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr);

/* Executors */

/**
 * Lets an executor be launched more than once; called between phase one and the first launch. 561103 for NULL, 561000
 * where the operator cannot be repeated.
 */
aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);

/** Frees a repeatable executor, or one that was never launched. 561103 for NULL. */
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

/**
 * Moves an input of a repeatable executor to another storage. 561103 for NULL.
 * @param executor the executor
 * @param index number of the input
 * @param tensor the tensor given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/**
 * Moves an output of a repeatable executor to another storage. 561103 for NULL.
 * @param executor the executor
 * @param index number of the output
 * @param tensor the tensor given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/**
 * Moves an operand of a repeatable executor to another storage. 561103 for NULL.
 * @param executor the executor
 * @param index number of the operand
 * @param tensor the tensor given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/**
 * Moves a tensor of an input list of a repeatable executor. 161002 beyond the end of the list.
 * @param executor the executor
 * @param irIndex number of the input
 * @param relativeIndex number of the tensor in the list
 * @param tensors the list given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList *tensors, void *addr);

/**
 * Moves a tensor of an output list of a repeatable executor. 161002 beyond the end of the list.
 * @param executor the executor
 * @param irIndex number of the output
 * @param relativeIndex number of the tensor in the list
 * @param tensors the list given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList *tensors, void *addr);

/**
 * Moves a tensor of a list of a repeatable executor. 161002 beyond the end of the list.
 * @param executor the executor
 * @param irIndex number of the operand
 * @param relativeIndex number of the tensor in the list
 * @param tensors the list given in phase one
 * @param addr start of the storage
 */
aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList *tensors, void *addr);

/** Does the same as `aclSetInputTensorAddr`. */
aclnnStatus AclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/** Does the same as `aclSetOutputTensorAddr`. */
aclnnStatus AclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/** Does the same as `aclSetTensorAddr`. */
aclnnStatus AclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr);

/** Does the same as `aclSetDynamicInputTensorAddr`. */
aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList *tensors, void *addr);

/** Does the same as `aclSetDynamicOutputTensorAddr`. */
aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList *tensors, void *addr);

/** Does the same as `aclSetDynamicTensorAddr`. */
aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList *tensors, void *addr);

/**
 * Writes tensors of a call to the dump directory. CANN 9.0 and later. 161001 where a pointer, the stream included, is NULL.
 * @param opType type of the operator
 * @param opName name of the call
 * @param tensors inputs, then outputs
 * @param inputTensorNum how many are inputs
 * @param outputTensorNum how many are outputs
 * @param stream where the tensors are computed
 */
aclnnStatus aclDumpOpTensors(const char *opType, const char *opName, aclTensor **tensors, size_t inputTensorNum,
                             size_t outputTensorNum, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
