#include "../aclnn_dense_lightning_indexer_grad_kl_loss.h"
