#include "../aclnn_flash_attention_score_v4.h"
