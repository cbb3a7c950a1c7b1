#include "../aclnn_glu.h"
