/**
 * Everything a host program needs to run on a device: the base types and the runtime.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include "acl_base.h"
#include "acl_rt.h"

#endif
