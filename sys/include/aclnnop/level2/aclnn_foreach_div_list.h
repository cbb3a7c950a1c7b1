#include "../aclnn_foreach_div_list.h"
