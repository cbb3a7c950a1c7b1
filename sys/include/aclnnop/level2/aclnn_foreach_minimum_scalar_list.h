#include "../aclnn_foreach_minimum_scalar_list.h"
