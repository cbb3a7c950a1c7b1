#include "../aclnn_foreach_cosh.h"
