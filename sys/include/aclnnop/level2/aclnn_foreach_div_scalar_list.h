#include "../aclnn_foreach_div_scalar_list.h"
