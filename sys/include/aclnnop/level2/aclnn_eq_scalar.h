#include "../aclnn_eq_scalar.h"
