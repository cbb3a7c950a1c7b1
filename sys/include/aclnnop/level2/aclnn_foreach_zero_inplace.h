#include "../aclnn_foreach_zero_inplace.h"
