#include "../aclnn_quantized_batch_norm.h"
