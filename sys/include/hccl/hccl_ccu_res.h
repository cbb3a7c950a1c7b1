/**
 * Units of a device that communicate without its cores.
 */
#ifndef HCCL_HCCL_CCU_RES_H
#define HCCL_HCCL_CCU_RES_H

#include "hccl_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Gives a communicator one of the units. */
HcclResult HcclCommAssignCcuIns(HcclComm comm, uint64_t insHandle);

/** Lists the units that a communicator was given. */
HcclResult HcclCommQueryAssignedCcuIns(HcclComm comm, uint64_t *insHandles, uint32_t *insNum);

/** Lists the units that a communicator may be given. */
HcclResult HcclCommQueryCcuIns(HcclComm comm, uint64_t *insHandles, uint32_t *insNum);

#ifdef __cplusplus
}
#endif

#endif
