#include "../aclnn_attention_worker_scheduler.h"
