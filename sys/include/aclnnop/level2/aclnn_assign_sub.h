#include "../aclnn_assign_sub.h"
