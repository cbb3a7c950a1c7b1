#include "../aclnn_foreach_a_cos_inplace.h"
