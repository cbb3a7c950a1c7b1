#include "../aclnn_affine_grid.h"
