#include "../aclnn_foreach_mul_list_inplace.h"
