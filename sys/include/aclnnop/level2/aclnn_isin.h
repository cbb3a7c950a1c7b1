#include "../aclnn_isin.h"
