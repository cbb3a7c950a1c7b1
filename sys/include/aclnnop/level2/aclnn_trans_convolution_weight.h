#include "../aclnn_trans_convolution_weight.h"
