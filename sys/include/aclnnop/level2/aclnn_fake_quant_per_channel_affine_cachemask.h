#include "../aclnn_fake_quant_per_channel_affine_cachemask.h"
