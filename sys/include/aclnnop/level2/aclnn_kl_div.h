#include "../aclnn_kl_div.h"
