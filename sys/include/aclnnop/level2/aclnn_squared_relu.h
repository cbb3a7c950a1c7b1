#include "../aclnn_squared_relu.h"
