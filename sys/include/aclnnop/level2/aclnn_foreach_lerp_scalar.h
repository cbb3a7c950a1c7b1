#include "../aclnn_foreach_lerp_scalar.h"
