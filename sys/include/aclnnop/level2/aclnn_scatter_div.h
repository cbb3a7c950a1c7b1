#include "../aclnn_scatter_div.h"
