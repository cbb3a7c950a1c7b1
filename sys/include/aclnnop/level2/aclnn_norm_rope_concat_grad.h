#include "../aclnn_norm_rope_concat_grad.h"
