#include "../aclnn_apply_rotary_pos_emb_v2.h"
