#include "../aclnn_searchsorted.h"
