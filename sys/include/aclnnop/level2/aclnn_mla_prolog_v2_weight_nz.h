#include "../aclnn_mla_prolog_v2_weight_nz.h"
