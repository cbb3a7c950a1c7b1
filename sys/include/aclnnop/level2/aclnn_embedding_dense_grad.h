#include "../aclnn_embedding_dense_grad.h"
