#include "../aclnn_foreach_add_list_inplace.h"
