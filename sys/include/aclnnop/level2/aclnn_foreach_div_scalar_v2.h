#include "../aclnn_foreach_div_scalar_v2.h"
