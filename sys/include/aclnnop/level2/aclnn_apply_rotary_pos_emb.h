#include "../aclnn_apply_rotary_pos_emb.h"
