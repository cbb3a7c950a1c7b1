#include "../aclnn_mhc_pre.h"
