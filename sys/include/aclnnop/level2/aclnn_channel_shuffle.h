#include "../aclnn_channel_shuffle.h"
