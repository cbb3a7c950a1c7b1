#include "../aclnn_asinh.h"
