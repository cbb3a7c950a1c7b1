#include "../aclnn_lt_scalar.h"
