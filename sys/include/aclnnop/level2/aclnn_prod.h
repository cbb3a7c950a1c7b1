#include "../aclnn_prod.h"
