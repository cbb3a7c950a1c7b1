#include "../aclnn_gather.h"
