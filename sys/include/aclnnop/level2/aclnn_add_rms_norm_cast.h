#include "../aclnn_add_rms_norm_cast.h"
