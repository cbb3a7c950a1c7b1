/**
 * For programs that include the header of this name. No function of it is known here, so it declares none of its own.
 */
#ifndef ACL_ACL_STFT_H
#define ACL_ACL_STFT_H

#include "acl_base.h"

#endif
