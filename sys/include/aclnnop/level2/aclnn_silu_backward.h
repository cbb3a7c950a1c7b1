#include "../aclnn_silu_backward.h"
