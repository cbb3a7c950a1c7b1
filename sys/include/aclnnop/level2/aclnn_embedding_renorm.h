#include "../aclnn_embedding_renorm.h"
