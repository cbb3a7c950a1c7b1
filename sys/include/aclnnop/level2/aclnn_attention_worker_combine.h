#include "../aclnn_attention_worker_combine.h"
