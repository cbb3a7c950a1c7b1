#include "../aclnn_stateless_exponential_tensor.h"
