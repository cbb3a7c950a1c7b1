#include "../aclnn_prompt_flash_attention.h"
