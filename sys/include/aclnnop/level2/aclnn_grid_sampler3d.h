#include "../aclnn_grid_sampler3d.h"
