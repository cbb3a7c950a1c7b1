#include "../aclnn_sparse_lightning_indexer_grad_kl_loss_v2.h"
