#include "../aclnn_weight_quant_preprocess.h"
