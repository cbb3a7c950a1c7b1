#include "../aclnn_foreach_maximum_scalar.h"
