#include "../aclnn_incre_flash_attention_v2.h"
