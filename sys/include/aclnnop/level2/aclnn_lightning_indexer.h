#include "../aclnn_lightning_indexer.h"
