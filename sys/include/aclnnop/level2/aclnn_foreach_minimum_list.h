#include "../aclnn_foreach_minimum_list.h"
