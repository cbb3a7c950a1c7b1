#include "../aclnn_kv_compress_epilog.h"
