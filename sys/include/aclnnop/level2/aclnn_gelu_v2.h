#include "../aclnn_gelu_v2.h"
