#include "../aclnn_lightning_indexer_grad.h"
