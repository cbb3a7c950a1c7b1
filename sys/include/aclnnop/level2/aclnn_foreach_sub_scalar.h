#include "../aclnn_foreach_sub_scalar.h"
