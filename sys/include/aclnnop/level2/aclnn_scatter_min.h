#include "../aclnn_scatter_min.h"
