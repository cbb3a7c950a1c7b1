#include "../aclnn_isin_tensor_scalar.h"
