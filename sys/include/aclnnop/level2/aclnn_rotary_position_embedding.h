#include "../aclnn_rotary_position_embedding.h"
