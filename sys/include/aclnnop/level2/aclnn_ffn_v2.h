#include "../aclnn_ffn_v2.h"
