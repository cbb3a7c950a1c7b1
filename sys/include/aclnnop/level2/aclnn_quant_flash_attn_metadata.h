#include "../aclnn_quant_flash_attn_metadata.h"
