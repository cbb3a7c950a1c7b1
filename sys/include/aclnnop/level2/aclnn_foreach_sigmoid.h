#include "../aclnn_foreach_sigmoid.h"
