#include "../aclnn_scatter_mul.h"
