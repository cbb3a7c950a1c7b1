#include "../aclnn_group_norm.h"
