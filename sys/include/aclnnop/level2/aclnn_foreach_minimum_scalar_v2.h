#include "../aclnn_foreach_minimum_scalar_v2.h"
