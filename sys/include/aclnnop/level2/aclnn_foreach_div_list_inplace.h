#include "../aclnn_foreach_div_list_inplace.h"
