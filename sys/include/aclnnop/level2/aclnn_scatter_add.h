#include "../aclnn_scatter_add.h"
