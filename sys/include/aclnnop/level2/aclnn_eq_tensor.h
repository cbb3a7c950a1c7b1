#include "../aclnn_eq_tensor.h"
