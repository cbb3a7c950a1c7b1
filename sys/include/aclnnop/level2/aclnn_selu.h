#include "../aclnn_selu.h"
