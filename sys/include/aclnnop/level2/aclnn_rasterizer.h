#include "../aclnn_rasterizer.h"
