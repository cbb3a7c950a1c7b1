#include "../aclnn_nsa_compress_with_cache.h"
