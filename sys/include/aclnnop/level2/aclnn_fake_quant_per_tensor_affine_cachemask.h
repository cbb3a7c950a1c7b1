#include "../aclnn_fake_quant_per_tensor_affine_cachemask.h"
