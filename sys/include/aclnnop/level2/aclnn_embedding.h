#include "../aclnn_embedding.h"
