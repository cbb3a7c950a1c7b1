#include "../aclnn_moe_token_permute_v2.h"
