#include "../aclnn_lt_tensor.h"
