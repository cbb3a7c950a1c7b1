/**
 * Macros for the declarations of operator functions.
 */
#ifndef ACLNNOP_ACLNN_UTIL_H
#define ACLNNOP_ACLNN_UTIL_H

/** Marks a function that a library exports. */
#define ACLNN_API __attribute__((visibility("default")))

/** A parameter that receives a value: a reference in C++, and a pointer in C, which is passed in the same way. */
#ifdef __cplusplus
#define ACLNN_OUT(type) type &
#else
#define ACLNN_OUT(type) type *
#endif

#endif
