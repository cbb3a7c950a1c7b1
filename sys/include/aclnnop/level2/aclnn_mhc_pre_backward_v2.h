#include "../aclnn_mhc_pre_backward_v2.h"
