#include "../aclnn_group_quant.h"
