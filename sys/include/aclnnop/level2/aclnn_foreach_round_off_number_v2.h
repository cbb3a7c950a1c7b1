#include "../aclnn_foreach_round_off_number_v2.h"
