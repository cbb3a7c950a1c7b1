/**
 * Allocators that a program lends to a stream.
 */
#ifndef ACL_ACL_RT_ALLOCATOR_H
#define ACL_ACL_RT_ALLOCATOR_H

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Functions of an allocator, on their way to the runtime. */
typedef void *aclrtAllocatorDesc;

/** The program's allocator. */
typedef void *aclrtAllocator;

/** A piece of memory of the allocator. */
typedef void *aclrtAllocatorBlock;

/** An address in such a piece. */
typedef void *aclrtAllocatorAddr;

/** Allocates memory. */
typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);

/** Frees memory. */
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);

/** Allocates memory at an address, if possible. */
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr addr);

/** Address of a piece of memory. */
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

/** Begins the description of an allocator. NULL on failure. */
aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/** Frees the description of an allocator. */
aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/**
 * Sets the allocator that the functions are called with.
 * @param allocatorDesc the description
 * @param allocator passed to the functions
 */
aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);

/**
 * Sets the function that takes memory.
 * @param allocatorDesc the description
 * @param func the function
 */
aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func);

/**
 * Sets the function that releases memory.
 * @param allocatorDesc the description
 * @param func the function
 */
aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func);

/**
 * Sets the function that takes memory at an address.
 * @param allocatorDesc the description
 * @param func the function
 */
aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/**
 * Sets the function that returns an address.
 * @param allocatorDesc the description
 * @param func the function
 */
aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func);

/**
 * Lets the work of a stream take its memory from an allocator.
 * @param stream the stream
 * @param allocatorDesc the description
 */
aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);

/** Undoes `aclrtAllocatorRegister`. */
aclError aclrtAllocatorUnregister(aclrtStream stream);

/** Returns the allocator of a stream and its functions. */
aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc, aclrtAllocator *allocator,
                                   aclrtAllocatorAllocFunc *allocFunc, aclrtAllocatorFreeFunc *freeFunc,
                                   aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc);

#ifdef __cplusplus
}
#endif

#endif
