#include "../aclnn_fused_infer_attention_score_v5.h"
