#include "../aclnn_foreach_round_off_number.h"
