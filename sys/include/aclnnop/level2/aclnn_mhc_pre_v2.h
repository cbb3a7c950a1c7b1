#include "../aclnn_mhc_pre_v2.h"
