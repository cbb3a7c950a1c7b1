#include "../aclnn_ffn.h"
