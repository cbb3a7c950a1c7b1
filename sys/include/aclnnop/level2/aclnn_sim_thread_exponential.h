#include "../aclnn_sim_thread_exponential.h"
