#include "../aclnn_ffn_to_attention.h"
