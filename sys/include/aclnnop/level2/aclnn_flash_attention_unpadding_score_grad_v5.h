#include "../aclnn_flash_attention_unpadding_score_grad_v5.h"
