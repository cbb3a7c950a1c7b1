#include "../aclnn_foreach_maximum_list.h"
