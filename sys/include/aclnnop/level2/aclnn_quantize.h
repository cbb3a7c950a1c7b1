#include "../aclnn_quantize.h"
