#include "../aclnn_foreach_add_scalar_list.h"
