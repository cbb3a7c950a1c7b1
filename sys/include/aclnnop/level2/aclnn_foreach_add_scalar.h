#include "../aclnn_foreach_add_scalar.h"
