#include "../aclnn_dense_lightning_indexer_softmax_lse.h"
