#include "../aclnn_ndtri.h"
