#include "../aclnn_situ_glu.h"
