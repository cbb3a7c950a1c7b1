#include "../aclnn_ffn_worker_scheduler.h"
