#include "../aclnn_moe_token_unpermute.h"
