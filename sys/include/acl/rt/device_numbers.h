/**
 * Numbers of devices, links between them, and their limits; part of `acl_rt.h`.
 */
#ifndef ACL_RT_DEVICE_NUMBERS_H
#define ACL_RT_DEVICE_NUMBERS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of the link between two devices: the bits of `aclrtGetDevicesTopo`. */
#define ACL_RT_DEVS_TOPOLOGY_HCCS    0x01ULL
#define ACL_RT_DEVS_TOPOLOGY_PIX     0x02ULL
#define ACL_RT_DEVS_TOPOLOGY_PIB     0x04ULL
#define ACL_RT_DEVS_TOPOLOGY_PHB     0x08ULL
#define ACL_RT_DEVS_TOPOLOGY_SYS     0x10ULL
#define ACL_RT_DEVS_TOPOLOGY_SIO     0x20ULL
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL

/** The link between host and device: `ACL_DEV_ATTR_HD_CONNECT_TYPE`. The name of the type is chosen here. */
typedef enum aclrtHostDeviceConnectType {
    ACL_HOST_DEVICE_CONNECT_TYPE_PCIE = 0,
    ACL_HOST_DEVICE_CONNECT_TYPE_HCCS = 1,
    ACL_HOST_DEVICE_CONNECT_TYPE_UB = 2
} aclrtHostDeviceConnectType;

/** The form of a device: `ACL_DEV_ATTR_DEVICE_FORM_FACTOR`. The name of the type is chosen here. */
typedef enum aclrtDeviceFormFactor {
    ACL_DEVICE_FORM_FACTOR_POD = 0,
    ACL_DEVICE_FORM_FACTOR_A_K = 1,
    ACL_DEVICE_FORM_FACTOR_A_X = 2,
    ACL_DEVICE_FORM_FACTOR_PCIE_CARD = 3
} aclrtDeviceFormFactor;

/** A limit of a device. */
typedef enum aclrtDeviceLimit {
    ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
    ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
    ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
    ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
    ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
} aclrtDeviceLimit;

/** A part of a device that may reach host memory. */
typedef enum aclrtHacType {
    ACL_RT_HAC_TYPE_STARS = 0,
    ACL_RT_HAC_TYPE_AICPU = 1,
    ACL_RT_HAC_TYPE_AIC = 2,
    ACL_RT_HAC_TYPE_AIV = 3,
    ACL_RT_HAC_TYPE_PCIEDMA = 4,
    ACL_RT_HAC_TYPE_RDMA = 5,
    ACL_RT_HAC_TYPE_SDMA = 6,
    ACL_RT_HAC_TYPE_DVPP = 7,
    ACL_RT_HAC_TYPE_UDMA = 8,
    ACL_RT_HAC_TYPE_CCU = 9
} aclrtHacType;

/** The ability of a part of a device to reach host memory. */
typedef enum aclrtHostMemMapCapability {
    ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
    ACL_RT_HOST_MEM_MAP_SUPPORTED = 1
} aclrtHostMemMapCapability;

/** An atomic operation on memory. */
typedef enum aclrtAtomicOperation {
    ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
    ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
    ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
    ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
    ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
    ACL_RT_ATOMIC_OPERATION_AND = 5,
    ACL_RT_ATOMIC_OPERATION_OR = 6,
    ACL_RT_ATOMIC_OPERATION_XOR = 7,
    ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
    ACL_RT_ATOMIC_OPERATION_CAS = 9,
    ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
    ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
    ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
    ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
    ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
    ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44
} aclrtAtomicOperation;

/** The operand types for which a device has such an operation: bits. The name of the type is chosen here. */
typedef enum aclrtAtomicOperationCapability {
    ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
    ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
    ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
    /** As it is spelt in some releases */
    ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
    ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256
} aclrtAtomicOperationCapability;

/** Returns the number of a device on the host, from the number that programs use. */
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t *const phyDevId);

/** Returns the number that programs use, from the number of a device on the host. */
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t *const userDevId);

/** Returns the number of a device on the host, from the number that the driver knows. */
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t *const phyDevId);

/** Returns the number that the driver knows, from the number of a device on the host. */
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t *const logicDevId);

/** Returns the number that programs use, from the number that the driver knows. */
aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t *const userDevid);

/** Writes the place of a device on the PCI bus. */
aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len);

/** Finds a device by its place on the PCI bus. */
aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId);

/** Returns the kind of the link between two devices: a sum of `ACL_RT_DEVS_TOPOLOGY_…`. */
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value);

/** Returns whether a program compiled for a product runs on this one. */
aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible);

/** Sets a limit of the current device. */
aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, uint64_t value);

/** Returns a limit of the current device. */
aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, uint64_t *value);

/** Returns the operand types for which a device has atomic operations on host memory. */
aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                              const uint32_t count, int32_t deviceId);

/** Returns the operand types for which a device has atomic operations on memory of another device. */
aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                             const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);

/** Returns whether a part of a device reaches host memory. */
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType, aclrtHostMemMapCapability *capabilities);

/** Writes back the cache of the current device. */
aclError aclrtDeviceL2CacheFlush(void *rsv);

#ifdef __cplusplus
}
#endif

#endif
