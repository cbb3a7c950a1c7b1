/**
 * Buffers that are passed from queue to queue, and chains of them; part of `acl_rt.h`.
 */
#ifndef ACL_RT_BUFFERS_H
#define ACL_RT_BUFFERS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer. */
typedef void *aclrtMbuf;

/** Makes a buffer. */
aclError aclrtAllocBuf(aclrtMbuf *buf, uint64_t size);

/** Frees a buffer. */
aclError aclrtFreeBuf(aclrtMbuf buf);

/** Returns the address of the data of a buffer, and its size in bytes. */
aclError aclrtGetBufData(aclrtMbuf const buf, void **dataPtr, uint64_t *size);

/** Sets the number of bytes of a buffer that are data. */
aclError aclrtSetBufDataLen(aclrtMbuf buf, uint64_t len);

/** Returns the number of bytes of a buffer that are data. */
aclError aclrtGetBufDataLen(aclrtMbuf buf, uint64_t *len);

/** Writes data that a program keeps with a buffer. */
aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, uint64_t size, uint64_t offset);

/** Reads data that a program keeps with a buffer. */
aclError aclrtGetBufUserData(aclrtMbuf const buf, void *dataPtr, uint64_t size, uint64_t offset);

/** Makes another buffer of the same data. */
aclError aclrtCopyBufRef(aclrtMbuf const buf, aclrtMbuf *newBuf);

/** Appends a buffer to a chain. */
aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/** Counts the buffers of a chain. */
aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num);

/** Returns a buffer of a chain. */
aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf);

#ifdef __cplusplus
}
#endif

#endif
