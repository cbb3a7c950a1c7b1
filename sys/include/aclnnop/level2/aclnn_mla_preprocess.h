#include "../aclnn_mla_preprocess.h"
