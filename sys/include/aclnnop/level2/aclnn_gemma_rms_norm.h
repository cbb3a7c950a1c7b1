#include "../aclnn_gemma_rms_norm.h"
