#include "../aclnn_inplace_add_rms_norm.h"
