#include "../aclnn_prompt_flash_attention_v2.h"
