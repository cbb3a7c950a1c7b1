#include "../aclnn_inplace_attention_worker_scheduler.h"
