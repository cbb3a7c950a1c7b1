#include "../aclnn_roi_pooling_grad_with_arg_max.h"
