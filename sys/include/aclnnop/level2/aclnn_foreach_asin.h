#include "../aclnn_foreach_asin.h"
