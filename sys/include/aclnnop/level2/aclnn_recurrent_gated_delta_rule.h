#include "../aclnn_recurrent_gated_delta_rule.h"
