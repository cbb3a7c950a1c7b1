#include "../aclnn_round.h"
