#include "measure/trace_words.h"

#include <string.h>

#include "history/history.h"

_Static_assert(DJ_TRACE_SIZE_MOST_MB == DJ_EVIDENCE_MOST >> 20,
               "a store keeps what a run's trace may be");

bool dj_trace_level_find(const char *name, enum dj_capture_level *level)
{
    for (int i = 0; i < DJ_CAPTURE_LEVELS; i++) {
        if (strcmp(name, dj_capture_level_name((enum dj_capture_level)i)) == 0) {
            *level = (enum dj_capture_level)i;
            return true;
        }
    }
    return false;
}
