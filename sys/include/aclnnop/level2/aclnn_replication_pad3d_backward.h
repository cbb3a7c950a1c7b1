#include "../aclnn_replication_pad3d_backward.h"
