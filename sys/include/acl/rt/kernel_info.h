/**
 * Questions about loaded programs and their kernels, and further ways to launch them; part of `acl_rt.h`.
 */
#ifndef ACL_RT_KERNEL_INFO_H
#define ACL_RT_KERNEL_INFO_H

#include "../acl_base_rt.h"
#include "health.h"
#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of blocks or threads along three axes. */
typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
} dim3;

/** A number that describes a kernel. */
typedef enum aclrtFuncAttribute {
    ACL_FUNC_ATTR_KERNEL_TYPE = 1,
    ACL_FUNC_ATTR_KERNEL_RATIO = 2,
    ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;

/** The cores that a kernel runs on. The name of the type is chosen here. */
typedef enum aclrtKernelType {
    ACL_KERNEL_TYPE_AICORE = 0,
    ACL_KERNEL_TYPE_CUBE = 1,
    ACL_KERNEL_TYPE_VECTOR = 2,
    ACL_KERNEL_TYPE_MIX = 3,
    ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;

/** Called with an exception of a kernel of a program, and the pointer given with the function. */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo *exceptionInfo, void *userData);

/** Returns the device address of a loaded program, and its size in bytes. */
aclError aclrtBinaryGetDevAddress(aclrtBinHandle const binHandle, void **binAddr, uint64_t *binSize);

/** Finds a kernel of a loaded program by its number. */
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle *funcHandle);

/** Finds a global variable of a loaded program. */
aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name, void **dptr, uint64_t *size);

/** Sets the function that is called when a kernel of a program fails. */
aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback, void *userData);

/** Registers a function of a program for the processors of a device. */
aclError aclrtRegisterCpuFunc(void *const handle, const char *funcName, const char *kernelName,
                              aclrtFuncHandle *funcHandle);

/** Returns the local memory that is left for a block of a kernel, in bytes. */
aclError aclrtFunctionGetAvailDynUbufPerBlock(aclrtFuncHandle func, uint32_t flags, uint64_t *dynamicUbufSize);

/** Returns the program of a kernel. */
aclError aclrtFunctionGetBinary(aclrtFuncHandle const funcHandle, aclrtBinHandle *binHandle);

/** Counts the parameters of a kernel. */
aclError aclrtFunctionGetParamCount(const void *func, uint64_t *paramCount);

/** Returns the offset of a parameter of a kernel, and its size in bytes. */
aclError aclrtFunctionGetParamInfo(const void *func, uint64_t paramIndex, uint64_t *paramOffset, uint64_t *paramSize);

/** Finds the kernel that the host knows by an address. */
aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle);

/** Returns a number that describes a kernel. */
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t *attrValue);

/** Writes the name of a kernel. */
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name);

/** Returns the bytes of a kernel, for each kind of core. */
aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, uint64_t *aicSize, uint64_t *aivSize);

/** Returns the kernel that failed. */
aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info, aclrtFuncHandle *func);

/** Returns the arguments of the kernel that failed. */
aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info, void **devArgsPtr, uint32_t *devArgsLen);

/** Returns the bytes that a handle of arguments takes. */
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, uint64_t *memSize);

/** Returns the bytes that arguments take. */
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, uint64_t userArgsSize, uint64_t *actualArgsSize);

/** Begins the arguments of a launch in memory of the program. */
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void *userHostMem,
                                      uint64_t actualArgsSize);

/** Adds an argument that is the address of data behind the arguments. */
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle *paramHandle);

/** Returns the address for the data of such an argument. */
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                             uint64_t dataSize, void **bufferAddr);

/** Replaces an argument. */
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void *param,
                                   uint64_t paramSize);

/** Launches a kernel with an array of addresses of its arguments. */
aclError aclrtLaunchKernelWithArgsArray(aclrtFuncHandle func, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg *cfg, void **args);

/** Launches a kernel of threads with an array of addresses of its arguments. */
aclError aclrtLaunchSIMTKernelWithArgsArray(aclrtFuncHandle func, dim3 gridDim, dim3 blockDim, uint64_t dynUbufSize,
                                            aclrtStream stream, aclrtLaunchKernelCfg *cfg, void **args);

/** Launches a kernel of threads with arguments in host memory. */
aclError aclrtLaunchSIMTKernelWithHostArgs(aclrtFuncHandle func, dim3 gridDim, dim3 blockDim, uint64_t dynUbufSize,
                                           aclrtStream stream, aclrtLaunchKernelCfg *cfg, void *hostArgs,
                                           uint64_t argsSize, aclrtPlaceHolderInfo *placeHolderArray,
                                           uint64_t placeHolderNum);

#ifdef __cplusplus
}
#endif

#endif
