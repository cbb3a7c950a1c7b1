#include "../aclnn_indexer_quant_cache.h"
