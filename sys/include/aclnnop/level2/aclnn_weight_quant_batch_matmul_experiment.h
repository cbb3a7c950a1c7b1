#include "../aclnn_weight_quant_batch_matmul_experiment.h"
