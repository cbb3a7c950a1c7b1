#include "../aclnn_dequant_bias.h"
