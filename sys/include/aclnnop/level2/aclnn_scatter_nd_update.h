#include "../aclnn_scatter_nd_update.h"
