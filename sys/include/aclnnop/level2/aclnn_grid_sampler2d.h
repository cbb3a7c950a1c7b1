#include "../aclnn_grid_sampler2d.h"
