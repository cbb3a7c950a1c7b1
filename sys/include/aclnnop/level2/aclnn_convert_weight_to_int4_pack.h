#include "../aclnn_convert_weight_to_int4_pack.h"
