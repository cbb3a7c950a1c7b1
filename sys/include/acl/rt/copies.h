/**
 * Copies by a description, by offsets, and of variables of a program; part of `acl_rt.h`.
 */
#ifndef ACL_RT_COPIES_H
#define ACL_RT_COPIES_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copies in stream order; the addresses are read then, and the offsets added to them. */
aclError aclrtMemcpyAsyncWithOffset(void **dst, uint64_t destMax, uint64_t dstDataOffset, const void **src,
                                    uint64_t count, uint64_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream);

/** Returns the bytes of the description of a copy. */
aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, uint64_t *descSize);

/** Describes a copy, in device memory. */
aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr, uint64_t count,
                            void *config);

/** Copies as described, in stream order. */
aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream);

/** Returns the device address of a variable. */
aclError aclrtGetSymbolAddress(const void *symbol, void **devPtr);

/** Returns the size of a variable in bytes. */
aclError aclrtGetSymbolSize(const void *symbol, uint64_t *size);

/** Copies into a variable. */
aclError aclrtMemcpyToSymbol(const void *symbol, const void *src, uint64_t count, uint64_t offset,
                             aclrtMemcpyKind kind);

/** Copies into a variable in stream order. */
aclError aclrtMemcpyToSymbolAsync(const void *symbol, const void *src, uint64_t count, uint64_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream);

/** Copies from a variable. */
aclError aclrtMemcpyFromSymbol(void *dst, uint64_t dstMax, const void *symbol, uint64_t count, uint64_t offset,
                               aclrtMemcpyKind kind);

/** Copies from a variable in stream order. */
aclError aclrtMemcpyFromSymbolAsync(void *dst, uint64_t dstMax, const void *symbol, uint64_t count, uint64_t offset,
                                    aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
