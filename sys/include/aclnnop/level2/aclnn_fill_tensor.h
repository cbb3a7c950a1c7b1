#include "../aclnn_fill_tensor.h"
