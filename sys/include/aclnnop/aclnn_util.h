/**
 * Visibility of operator functions.
 */
#ifndef ACLNNOP_ACLNN_UTIL_H
#define ACLNNOP_ACLNN_UTIL_H

/** Marks a function that a library exports. */
#define ACLNN_API __attribute__((visibility("default")))

#endif
