#include "../aclnn_leaky_relu.h"
