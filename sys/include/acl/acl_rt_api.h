/**
 * The runtime, by the name of its newer header.
 */
#ifndef ACL_ACL_RT_API_H
#define ACL_ACL_RT_API_H

#include "acl_rt.h"

#endif
