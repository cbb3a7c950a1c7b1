#include "../aclnn_moe_token_permute.h"
