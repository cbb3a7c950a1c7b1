#include "../aclnn_prompt_flash_attention_v3.h"
