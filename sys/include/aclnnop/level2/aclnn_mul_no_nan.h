#include "../aclnn_mul_no_nan.h"
