#include "../aclnn_ffn_worker_batching.h"
