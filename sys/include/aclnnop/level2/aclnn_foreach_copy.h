#include "../aclnn_foreach_copy.h"
