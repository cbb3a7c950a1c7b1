#include "../aclnn_chunk_gated_delta_rule.h"
