#include "../aclnn_dropout_v3_tensor.h"
