#include "../aclnn_incre_flash_attention_v4.h"
