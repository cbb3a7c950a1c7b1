#include "../aclnn_flash_attn.h"
