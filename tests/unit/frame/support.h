/* What the tests of the rules share: frames as plain as a rule can judge them. */
#ifndef DEJANK_TESTS_FRAME_SUPPORT_H
#define DEJANK_TESTS_FRAME_SUPPORT_H

#include "frame/frame.h"

/* Every stage short but the last, which ends after total_ns. No input. */
struct dj_frame frame_of(int64_t intended_ns, int64_t total_ns);

#endif
