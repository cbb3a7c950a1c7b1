#include "../aclnn_bincount.h"
