#include "../aclnn_ne_tensor.h"
