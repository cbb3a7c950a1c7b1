#include "../aclnn_replication_pad3d.h"
