#include "../aclnn_foreach_sub_list_inplace.h"
