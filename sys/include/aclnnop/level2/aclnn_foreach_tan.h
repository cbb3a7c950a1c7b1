#include "../aclnn_foreach_tan.h"
