#include "../aclnn_replication_pad2d.h"
