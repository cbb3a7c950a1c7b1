#include "../aclnn_relu6.h"
