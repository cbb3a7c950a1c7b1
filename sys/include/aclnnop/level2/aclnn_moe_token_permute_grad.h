#include "../aclnn_moe_token_permute_grad.h"
