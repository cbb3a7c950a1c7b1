#include "../aclnn_triu.h"
