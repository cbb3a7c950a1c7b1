#include "../aclnn_foreach_addcmul_list.h"
