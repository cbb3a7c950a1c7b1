#include "../aclnn_sinkhorn.h"
