#include "../aclnn_foreach_add_list.h"
