#include "../aclnn_masked_scatter.h"
