#include "../aclnn_matmul_emu_split_weight.h"
