#include "../aclnn_incre_flash_attention_v3.h"
