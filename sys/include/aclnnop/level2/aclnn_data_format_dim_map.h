#include "../aclnn_data_format_dim_map.h"
