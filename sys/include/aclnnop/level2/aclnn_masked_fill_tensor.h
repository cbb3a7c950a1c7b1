#include "../aclnn_masked_fill_tensor.h"
