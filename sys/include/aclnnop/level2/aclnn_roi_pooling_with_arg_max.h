#include "../aclnn_roi_pooling_with_arg_max.h"
