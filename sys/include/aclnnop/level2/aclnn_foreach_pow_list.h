#include "../aclnn_foreach_pow_list.h"
