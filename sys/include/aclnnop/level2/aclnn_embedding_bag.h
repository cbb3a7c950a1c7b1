#include "../aclnn_embedding_bag.h"
