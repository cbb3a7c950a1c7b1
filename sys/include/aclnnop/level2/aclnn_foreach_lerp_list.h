#include "../aclnn_foreach_lerp_list.h"
