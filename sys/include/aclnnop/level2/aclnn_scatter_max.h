#include "../aclnn_scatter_max.h"
