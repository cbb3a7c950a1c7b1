#include "../aclnn_grid_sampler2d_backward.h"
