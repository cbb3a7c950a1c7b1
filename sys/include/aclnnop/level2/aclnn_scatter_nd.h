#include "../aclnn_scatter_nd.h"
