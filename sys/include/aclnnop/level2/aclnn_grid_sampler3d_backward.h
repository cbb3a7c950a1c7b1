#include "../aclnn_grid_sampler3d_backward.h"
