#include "../aclnn_lightning_indexer_v2_metadata.h"
