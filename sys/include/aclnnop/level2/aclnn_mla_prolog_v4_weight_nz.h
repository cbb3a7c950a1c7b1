#include "../aclnn_mla_prolog_v4_weight_nz.h"
