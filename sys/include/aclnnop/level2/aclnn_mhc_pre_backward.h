#include "../aclnn_mhc_pre_backward.h"
