#include "../aclnn_dense_lightning_indexer_softmax_lse_v2_metadata.h"
