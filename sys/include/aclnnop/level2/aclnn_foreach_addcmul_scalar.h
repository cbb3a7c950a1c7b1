#include "../aclnn_foreach_addcmul_scalar.h"
