#include "../aclnn_ring_attention_update_v2.h"
