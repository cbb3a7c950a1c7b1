#include "../aclnn_foreach_add_list_v2.h"
