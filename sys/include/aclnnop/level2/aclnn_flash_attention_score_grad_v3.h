#include "../aclnn_flash_attention_score_grad_v3.h"
