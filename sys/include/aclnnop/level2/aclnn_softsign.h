#include "../aclnn_softsign.h"
