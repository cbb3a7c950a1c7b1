#include "../aclnn_rain_fusion_attention.h"
