#include "../aclnn_sinc.h"
