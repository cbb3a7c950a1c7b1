#include "../aclnn_quant_lightning_indexer.h"
