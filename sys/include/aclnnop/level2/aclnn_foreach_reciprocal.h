#include "../aclnn_foreach_reciprocal.h"
