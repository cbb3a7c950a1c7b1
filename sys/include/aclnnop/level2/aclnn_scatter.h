#include "../aclnn_scatter.h"
