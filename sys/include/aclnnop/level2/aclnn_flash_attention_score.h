#include "../aclnn_flash_attention_score.h"
