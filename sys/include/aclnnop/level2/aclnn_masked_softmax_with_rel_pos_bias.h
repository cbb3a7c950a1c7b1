#include "../aclnn_masked_softmax_with_rel_pos_bias.h"
