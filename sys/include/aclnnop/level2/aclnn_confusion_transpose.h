#include "../aclnn_confusion_transpose.h"
