#include "../aclnn_matmul_abft_verify.h"
