#include "../aclnn_add_relu.h"
