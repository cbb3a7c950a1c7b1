/** Every operator of element-wise mathematics. */
#ifndef ACLNNOP_ACLNN_OPS_MATH_H
#define ACLNNOP_ACLNN_OPS_MATH_H

#include "aclnn_add.h"
#include "aclnn_arange.h"
#include "aclnn_cast.h"
#include "aclnn_copy.h"
#include "aclnn_div.h"
#include "aclnn_fill_scalar.h"
#include "aclnn_linspace.h"
#include "aclnn_mul.h"
#include "aclnn_one.h"
#include "aclnn_range.h"
#include "aclnn_rsub.h"
#include "aclnn_sub.h"
#include "aclnn_zero.h"

#endif
