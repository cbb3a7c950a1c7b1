#include "../aclnn_ffn_v3.h"
