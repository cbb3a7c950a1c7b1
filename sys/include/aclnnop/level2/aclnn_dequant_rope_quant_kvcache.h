#include "../aclnn_dequant_rope_quant_kvcache.h"
