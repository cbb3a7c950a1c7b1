#include "../aclnn_scatter_reduce.h"
