/* Helpers for the tests of the rules: simple frames. */
#ifndef DEJANK_TESTS_FRAME_SUPPORT_H
#define DEJANK_TESTS_FRAME_SUPPORT_H

#include "frame/frame.h"

/* Returns a frame whose stages are short except the last, which ends after total_ns.
 * No input. */
struct dj_frame frame_of(int64_t intended_ns, int64_t total_ns);

#endif
