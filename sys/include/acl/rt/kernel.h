/**
 * Kernel binaries: loading and launching compiled kernels; part of `acl_rt.h`.
 */
#ifndef ACL_RT_KERNEL_H
#define ACL_RT_KERNEL_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The bytes of a compiled program. */
typedef void *aclrtBinary;

/** A loaded program. */
typedef void *aclrtBinHandle;

/** A kernel of a loaded program. */
typedef void *aclrtFuncHandle;

/** Arguments of a launch. */
typedef void *aclrtArgsHandle;

/** One argument of a launch. */
typedef void *aclrtParamHandle;

#define ACL_RT_BINARY_MAGIC_ELF_AICORE      0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE   0x41494343U

/** An option of loading. */
typedef enum aclrtBinaryLoadOptionType {
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
    ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
    ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
    ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;

/** Value of an option of loading. */
typedef union aclrtBinaryLoadOptionValue {
    uint32_t isLazyLoad;
    uint32_t magic;
    int32_t cpuKernelMode;
    uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

/** An option of loading. */
typedef struct aclrtBinaryLoadOption {
    aclrtBinaryLoadOptionType type;
    aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

/** Options of loading. */
typedef struct aclrtBinaryLoadOptions {
    aclrtBinaryLoadOption *options;
    size_t numOpt;
} aclrtBinaryLoadOptions;

/** A kind of core. */
typedef enum aclrtEngineType {
    ACL_RT_ENGINE_TYPE_AIC = 0,
    ACL_RT_ENGINE_TYPE_AIV = 1
} aclrtEngineType;

/** An option of a launch. */
typedef enum aclrtLaunchKernelAttrId {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
    ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2,
    /** From CANN 9.0.0 on */
    ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
    /** After CANN 9.1.0 */
    ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9
} aclrtLaunchKernelAttrId;

/** Microseconds. */
typedef struct aclrtTimeoutUs {
    uint32_t timeoutLow;
    uint32_t timeoutHigh;
} aclrtTimeoutUs;

/** Value of an option of a launch. */
typedef union aclrtLaunchKernelAttrValue {
    uint8_t schemMode;
    uint32_t localMemorySize;
    uint32_t dynUBufSize;
    aclrtEngineType engineType;
    uint32_t blockDimOffset;
    uint8_t isBlockTaskPrefetch;
    uint8_t isDataDump;
    /** Of `ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING`; CANN may call it otherwise */
    uint8_t enableProfiling;
    uint16_t timeout;
    aclrtTimeoutUs timeoutUs;
    uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

/** An option of a launch. */
typedef struct aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttrId id;
    aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

/** Options of a launch. */
typedef struct aclrtLaunchKernelCfg {
    aclrtLaunchKernelAttr *attrs;
    size_t numAttrs;
} aclrtLaunchKernelCfg;

/** The position of an argument that holds the address of data behind the arguments. */
typedef struct aclrtPlaceHolderInfo {
    uint32_t addrOffset;
    uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/**
 * Describes a compiled program. NULL on failure.
 * @param data its bytes
 * @param dataLen how many
 */
aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen);

/** Frees the description of a compiled program. */
aclError aclrtDestroyBinary(aclrtBinary binary);

/**
 * Loads a compiled program.
 * @param binary the program
 * @param binHandle receives the loaded program
 */
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle);

/** Unloads a program. */
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/**
 * Returns a kernel of a loaded program.
 * @param binHandle the program
 * @param kernelName name of the kernel
 * @param funcHandle receives it
 */
aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName, aclrtFuncHandle *funcHandle);

/**
 * Loads a compiled program from a file.
 * @param binPath the file
 * @param options may be NULL
 * @param binHandle receives the loaded program
 */
aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle);

/**
 * Loads a compiled program from memory.
 * @param data its bytes
 * @param length how many
 * @param options may be NULL
 * @param binHandle receives the loaded program
 */
aclError aclrtBinaryLoadFromData(const void *data, size_t length, const aclrtBinaryLoadOptions *options,
                                 aclrtBinHandle *binHandle);

/**
 * Returns the device addresses of a kernel.
 * @param funcHandle the kernel
 * @param aicAddr receives the address of its part for cube cores
 * @param aivAddr receives the address of its part for vector cores
 */
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr, void **aivAddr);

/**
 * Begins the arguments of a launch.
 * @param funcHandle the kernel
 * @param argsHandle receives the arguments
 */
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle);

/**
 * Adds an argument.
 * @param argsHandle the arguments
 * @param param the new one
 * @param paramSize its bytes
 * @param paramHandle receives it
 */
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize,
                               aclrtParamHandle *paramHandle);

/** Ends the arguments of a launch. */
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/**
 * Launches a kernel in stream order.
 * @param funcHandle the kernel
 * @param numBlocks how many blocks
 * @param argsData arguments on the device
 * @param argsSize their bytes
 * @param stream the stream
 */
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                           aclrtStream stream);

/**
 * Does the same as `aclrtLaunchKernel`, with options.
 * @param funcHandle the kernel
 * @param numBlocks how many blocks
 * @param argsData arguments on the device
 * @param argsSize their bytes
 * @param cfg may be NULL
 * @param stream the stream
 */
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                             aclrtLaunchKernelCfg *cfg, aclrtStream stream);

/**
 * Does the same as `aclrtLaunchKernel`, with options.
 * @param funcHandle the kernel
 * @param numBlocks how many blocks
 * @param stream the stream
 * @param cfg may be NULL
 * @param argsHandle the arguments
 * @param reserve NULL
 */
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg *cfg, aclrtArgsHandle argsHandle, void *reserve);

/**
 * Does the same as `aclrtLaunchKernel`, with arguments on the host.
 * @param funcHandle the kernel
 * @param numBlocks how many blocks
 * @param stream the stream
 * @param cfg may be NULL
 * @param hostArgs the arguments
 * @param argsSize their bytes
 * @param placeHolderArray where addresses are to be filled in
 * @param placeHolderNum how many
 */
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg *cfg, void *hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum);

#ifdef __cplusplus
}
#endif

#endif
