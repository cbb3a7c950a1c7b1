#include "../aclnn_relu.h"
