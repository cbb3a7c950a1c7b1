/**
 * Collectives of a program, which run on the processors of a device.
 */
#ifndef HCCL_HCCL_LAUNCH_H
#define HCCL_HCCL_LAUNCH_H

#include "hccl_comm.h"
#include "hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_KERNEL_SO_NAME_MAX_LEN        256
#define HCCL_KERNEL_FUNC_NAME_MAX_LEN      256
#define HCCL_KERNEL_LAUNCH_CFG_MAGIC_WORD  0x0f0f0f0f
#define HCCL_KERNEL_LAUNCH_CFG_VERSION     1
#define HCCL_OPDESC_MAGIC_WORD             0x0f0f0f0f
#define HCCL_OPDESC_VERSION                1
#define HCCL_OP_DESC_OP_NAME_MAX_LEN       256

/** A transfer between two ranks. */
typedef struct HcclOpP2pDesc {
    void *buffer;
    uint64_t reserved;
    HcclCMDType cmdType;
    HcclDataType dataType;
    uint64_t count;
    uint32_t remoteRank;
    aclrtStream unfoldStream;
} HcclOpP2pDesc;

/** The parameters of a collective, by its kind. The names are chosen here. */
typedef union HcclOpDescDetails {
    HcclOpP2pDesc p2p;
    uint64_t raws[10];
} HcclOpDescDetails;

/** A collective. The name of `details` is chosen here. */
typedef struct HcclOpDesc {
    HcclStructureHeader header;
    int32_t opDescType;
    char opName[HCCL_OP_DESC_OP_NAME_MAX_LEN];
    HcclOpDescDetails details;
} HcclOpDesc;

/** A function of a library for the processors of a device. */
typedef struct HcclKernelFuncInfo {
    char kernelSoName[HCCL_KERNEL_SO_NAME_MAX_LEN];
    char kernelFuncName[HCCL_KERNEL_FUNC_NAME_MAX_LEN];
    void *args;
    uint32_t argSize;
} HcclKernelFuncInfo;

/** The options of a launch. */
typedef struct HcclKernelLaunchCfg {
    HcclStructureHeader header;
    uint64_t timeOut;
    uint8_t reserved[104];
} HcclKernelLaunchCfg;

/** The arguments of the function of a transfer between two ranks. */
typedef struct HcclP2pKernelParam {
    uint64_t sendRecvThread;
    uint8_t opParams[8192];
} HcclP2pKernelParam;

/** Launches a function of a collective. */
HcclResult HcclAicpuKernelLaunch(HcclComm comm, const HcclOpDesc *opInfo, const HcclKernelFuncInfo *funcInfo,
                                 uint64_t aicpuThreadHandle, aclrtStream userStream,
                                 const HcclKernelLaunchCfg *kernelLaunchCfg);

#ifdef __cplusplus
}
#endif

#endif
