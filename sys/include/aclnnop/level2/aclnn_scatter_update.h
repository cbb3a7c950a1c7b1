#include "../aclnn_scatter_update.h"
