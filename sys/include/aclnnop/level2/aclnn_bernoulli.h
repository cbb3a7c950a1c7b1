#include "../aclnn_bernoulli.h"
