#include "../aclnn_foreach_erfc.h"
