#include "../aclnn_apply_adagrad_d.h"
