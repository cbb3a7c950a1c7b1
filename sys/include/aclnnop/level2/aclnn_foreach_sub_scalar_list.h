#include "../aclnn_foreach_sub_scalar_list.h"
