/**
 * Everything a host program needs to run on a device: the base types, the runtime, and the older interfaces of
 * operators and models.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include "acl_base.h"
#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif
