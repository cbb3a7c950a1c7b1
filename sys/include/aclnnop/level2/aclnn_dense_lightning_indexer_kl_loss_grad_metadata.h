#include "../aclnn_dense_lightning_indexer_kl_loss_grad_metadata.h"
