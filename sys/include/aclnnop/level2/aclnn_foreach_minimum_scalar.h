#include "../aclnn_foreach_minimum_scalar.h"
