#include "../aclnn_inplace_ffn_worker_scheduler.h"
