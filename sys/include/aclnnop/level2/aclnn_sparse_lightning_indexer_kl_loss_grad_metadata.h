#include "../aclnn_sparse_lightning_indexer_kl_loss_grad_metadata.h"
