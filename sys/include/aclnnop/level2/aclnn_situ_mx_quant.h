#include "../aclnn_situ_mx_quant.h"
