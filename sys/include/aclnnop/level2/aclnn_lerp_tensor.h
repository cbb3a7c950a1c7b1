#include "../aclnn_lerp_tensor.h"
