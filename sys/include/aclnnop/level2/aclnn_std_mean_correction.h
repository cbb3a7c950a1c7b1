#include "../aclnn_std_mean_correction.h"
