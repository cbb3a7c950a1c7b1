#include "../aclnn_turbo_quant_compress_latent.h"
