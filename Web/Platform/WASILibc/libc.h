#include <math.h>
#include <stdlib.h>
#include <string.h>
