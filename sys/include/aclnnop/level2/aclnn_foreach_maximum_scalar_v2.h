#include "../aclnn_foreach_maximum_scalar_v2.h"
