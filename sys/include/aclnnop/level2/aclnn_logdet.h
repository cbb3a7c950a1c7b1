#include "../aclnn_logdet.h"
