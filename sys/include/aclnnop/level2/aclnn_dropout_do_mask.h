#include "../aclnn_dropout_do_mask.h"
