/* Helper for the tests of jank rules: creates simple frames. */
#ifndef DEJANK_TESTS_FRAME_SUPPORT_H
#define DEJANK_TESTS_FRAME_SUPPORT_H

#include "frame/frame.h"

/* Returns a frame that lasts total_ns. All stages are short except the last one. There
 * is no input event. */
struct dj_frame frame_of(int64_t intended_ns, int64_t total_ns);

#endif
