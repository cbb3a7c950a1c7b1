#include "../aclnn_rotate_quant.h"
