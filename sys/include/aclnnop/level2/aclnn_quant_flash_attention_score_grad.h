#include "../aclnn_quant_flash_attention_score_grad.h"
