#include "../aclnn_rsqrt.h"
