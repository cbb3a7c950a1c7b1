#include "../aclnn_hinge_embedding_loss.h"
