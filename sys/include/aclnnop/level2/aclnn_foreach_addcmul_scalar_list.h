#include "../aclnn_foreach_addcmul_scalar_list.h"
