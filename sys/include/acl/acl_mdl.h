/**
 * Models compiled ahead of time.
 */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Memory of the inputs or outputs of a model. */
typedef struct aclmdlDataset aclmdlDataset;

/** Description of a model. */
typedef struct aclmdlDesc aclmdlDesc;

/** Shape of an input or output. */
typedef struct aclmdlIODims {
    char name[128];
    size_t dimCount;
    int64_t dims[128];
} aclmdlIODims;

/** Makes an empty list of memory. NULL on failure. */
aclmdlDataset *aclmdlCreateDataset(void);

/** Frees a list of memory, not the memory. */
aclError aclmdlDestroyDataset(const aclmdlDataset *dataset);

/**
 * Adds memory to a list.
 * @param dataset the list
 * @param dataBuffer the memory
 */
aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *dataBuffer);

/**
 * Returns the memory at a position of a list. NULL on failure.
 * @param dataset the list
 * @param index which
 */
aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset, size_t index);

/**
 * Returns the description of the memory at a position of a list. NULL on failure.
 * @param dataset the list
 * @param index which
 */
aclTensorDesc *aclmdlGetDatasetTensorDesc(const aclmdlDataset *dataset, size_t index);

/** Makes an empty description of a model. NULL on failure. */
aclmdlDesc *aclmdlCreateDesc(void);

/** Frees a description of a model. */
aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc);

/**
 * Describes a loaded model.
 * @param modelDesc receives the description
 * @param modelId the model
 */
aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId);

/** Returns the number of inputs. */
size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc);

/** Returns the number of outputs. */
size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc);

/**
 * Returns the size of an input in bytes.
 * @param modelDesc the model
 * @param index which
 */
size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * Returns the size of an output in bytes.
 * @param modelDesc the model
 * @param index which
 */
size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * Returns the shape of an output.
 * @param modelDesc the model
 * @param index which
 * @param dims receives the shape
 */
aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims);

/**
 * Loads a model from a file.
 * @param modelPath the file
 * @param modelId receives the number of the model
 */
aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId);

/**
 * Loads a model from memory.
 * @param model its bytes
 * @param modelSize how many
 * @param modelId receives the number of the model
 */
aclError aclmdlLoadFromMem(const void *model, size_t modelSize, uint32_t *modelId);

/**
 * Runs a model and waits for it.
 * @param modelId the model
 * @param input memory of the inputs
 * @param output memory of the outputs
 */
aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output);

/**
 * Runs a model in stream order.
 * @param modelId the model
 * @param input memory of the inputs
 * @param output memory of the outputs
 * @param stream the stream
 */
aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output, aclrtStream stream);

/**
 * Unloads a model.
 * @param modelId the model
 */
aclError aclmdlUnload(uint32_t modelId);

#ifdef __cplusplus
}
#endif

#endif
