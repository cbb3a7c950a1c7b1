#include "../aclnn_swi_glu.h"
