#include "../aclnn_asin_grad.h"
