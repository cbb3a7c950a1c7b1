#include "../aclnn_gt_scalar.h"
