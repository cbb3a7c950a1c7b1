#include "../aclnn_elu_v2.h"
