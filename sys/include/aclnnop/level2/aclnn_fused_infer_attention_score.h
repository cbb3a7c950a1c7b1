#include "../aclnn_fused_infer_attention_score.h"
