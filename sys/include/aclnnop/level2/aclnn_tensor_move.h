#include "../aclnn_tensor_move.h"
