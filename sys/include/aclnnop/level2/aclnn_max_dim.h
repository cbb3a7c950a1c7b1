#include "../aclnn_max_dim.h"
