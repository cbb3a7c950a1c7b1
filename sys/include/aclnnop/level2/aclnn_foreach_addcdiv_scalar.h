#include "../aclnn_foreach_addcdiv_scalar.h"
