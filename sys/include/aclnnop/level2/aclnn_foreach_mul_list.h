#include "../aclnn_foreach_mul_list.h"
