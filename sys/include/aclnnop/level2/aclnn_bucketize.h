#include "../aclnn_bucketize.h"
