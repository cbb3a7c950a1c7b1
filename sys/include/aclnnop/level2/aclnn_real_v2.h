#include "../aclnn_real_v2.h"
