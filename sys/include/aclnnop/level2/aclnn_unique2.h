#include "../aclnn_unique2.h"
