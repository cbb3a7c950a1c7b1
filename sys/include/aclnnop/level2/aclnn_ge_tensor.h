#include "../aclnn_ge_tensor.h"
