#include "../aclnn_lightning_indexer_kl_loss.h"
