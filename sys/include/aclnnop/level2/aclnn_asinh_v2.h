#include "../aclnn_asinh_v2.h"
