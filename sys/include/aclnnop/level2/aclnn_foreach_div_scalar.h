#include "../aclnn_foreach_div_scalar.h"
