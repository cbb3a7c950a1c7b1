#include "../aclnn_embedding_dense_backward.h"
