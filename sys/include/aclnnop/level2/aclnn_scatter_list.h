#include "../aclnn_scatter_list.h"
