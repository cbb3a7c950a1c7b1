#include "../aclnn_foreach_addcdiv_scalar_list.h"
