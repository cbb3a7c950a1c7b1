#include "../aclnn_foreach_addcdiv_list.h"
