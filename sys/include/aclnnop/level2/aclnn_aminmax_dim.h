#include "../aclnn_aminmax_dim.h"
