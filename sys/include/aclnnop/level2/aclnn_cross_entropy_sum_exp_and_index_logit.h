#include "../aclnn_cross_entropy_sum_exp_and_index_logit.h"
