#ifndef DEJANK_BASE_UNITS_H
#define DEJANK_BASE_UNITS_H

#include <stdint.h>

static inline double dj_units_ms(int64_t ns)
{
    return (double)ns / 1e6;
}

#endif
