#include "../aclnn_blend_images_custom.h"
