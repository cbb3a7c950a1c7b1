#include "../aclnn_flash_attn_metadata.h"
