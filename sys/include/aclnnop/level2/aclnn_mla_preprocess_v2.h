#include "../aclnn_mla_preprocess_v2.h"
