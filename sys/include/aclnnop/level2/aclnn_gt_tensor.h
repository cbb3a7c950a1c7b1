#include "../aclnn_gt_tensor.h"
