#include "../aclnn_relu_v3.h"
