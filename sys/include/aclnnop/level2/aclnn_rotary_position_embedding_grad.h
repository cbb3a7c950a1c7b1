#include "../aclnn_rotary_position_embedding_grad.h"
