#include "../aclnn_flash_attention_var_len_score_v5.h"
