#include "../aclnn_foreach_norm.h"
