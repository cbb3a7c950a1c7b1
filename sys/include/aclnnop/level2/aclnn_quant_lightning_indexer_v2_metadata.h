#include "../aclnn_quant_lightning_indexer_v2_metadata.h"
