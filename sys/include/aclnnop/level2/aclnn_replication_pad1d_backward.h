#include "../aclnn_replication_pad1d_backward.h"
