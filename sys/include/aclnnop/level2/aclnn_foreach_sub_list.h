#include "../aclnn_foreach_sub_list.h"
