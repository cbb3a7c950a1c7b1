#include "../aclnn_transform_bias_rescale_qkv.h"
