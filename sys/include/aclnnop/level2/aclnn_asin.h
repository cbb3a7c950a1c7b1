#include "../aclnn_asin.h"
