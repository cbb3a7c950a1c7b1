#include "../aclnn_fast_gelu_v2.h"
