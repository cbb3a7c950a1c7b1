#include "../aclnn_rotary_position_embedding_v2.h"
