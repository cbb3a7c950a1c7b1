#include "../aclnn_mla_prolog_v3_weight_nz.h"
