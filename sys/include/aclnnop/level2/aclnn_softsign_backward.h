#include "../aclnn_softsign_backward.h"
