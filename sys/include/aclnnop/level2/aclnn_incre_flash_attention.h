#include "../aclnn_incre_flash_attention.h"
