#include "../aclnn_flash_attention_score_v3.h"
