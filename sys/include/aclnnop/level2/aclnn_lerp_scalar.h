#include "../aclnn_lerp_scalar.h"
