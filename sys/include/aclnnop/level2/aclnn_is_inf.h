#include "../aclnn_is_inf.h"
