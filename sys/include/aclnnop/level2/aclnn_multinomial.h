#include "../aclnn_multinomial.h"
