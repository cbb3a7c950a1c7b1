#include "../aclnn_moe_token_unpermute_grad.h"
