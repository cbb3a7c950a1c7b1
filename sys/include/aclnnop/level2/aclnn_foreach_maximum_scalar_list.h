#include "../aclnn_foreach_maximum_scalar_list.h"
