#include "../aclnn_foreach_add_scalar_v2.h"
