#include "../aclnn_foreach_sub_list_v2.h"
