#include "../aclnn_le_tensor.h"
