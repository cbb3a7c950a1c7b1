#include "../aclnn_fused_floyd_attention_grad.h"
