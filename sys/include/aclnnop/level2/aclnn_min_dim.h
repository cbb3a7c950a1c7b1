#include "../aclnn_min_dim.h"
