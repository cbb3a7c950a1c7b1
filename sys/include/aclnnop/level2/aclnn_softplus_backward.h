#include "../aclnn_softplus_backward.h"
