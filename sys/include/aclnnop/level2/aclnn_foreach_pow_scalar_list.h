#include "../aclnn_foreach_pow_scalar_list.h"
