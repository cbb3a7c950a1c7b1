#include "../aclnn_dropout_gen_mask.h"
