#include "../aclnn_replication_pad1d.h"
