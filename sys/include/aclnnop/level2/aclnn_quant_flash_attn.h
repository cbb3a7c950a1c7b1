#include "../aclnn_quant_flash_attn.h"
