#include "../aclnn_chamfer_distance_backward.h"
