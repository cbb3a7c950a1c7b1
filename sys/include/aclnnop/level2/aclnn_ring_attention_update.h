#include "../aclnn_ring_attention_update.h"
