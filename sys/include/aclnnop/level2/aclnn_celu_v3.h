#include "../aclnn_celu_v3.h"
