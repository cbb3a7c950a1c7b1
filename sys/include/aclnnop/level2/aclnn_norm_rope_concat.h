#include "../aclnn_norm_rope_concat.h"
