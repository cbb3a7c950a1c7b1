#include "../aclnn_flash_attention_score_grad.h"
