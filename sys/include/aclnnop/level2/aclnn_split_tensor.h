#include "../aclnn_split_tensor.h"
