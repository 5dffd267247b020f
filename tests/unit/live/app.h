/* An app of this machine whose frames the tests write. Its frames begin now. */
#ifndef DEJANK_TEST_LIVE_APP_H
#define DEJANK_TEST_LIVE_APP_H

#include <sys/types.h>

#include "../segment/support.h"
#include "live/live.h"

#define APP_NAME "org.example.App"
#define APP_STEP_NS INT64_C(16666667)
#define APP_FRAME_NS INT64_C(4000000)
#define APP_JANKY_NS INT64_C(40000000)

/* Writes frames to a window. A frame takes APP_FRAME_NS. The last one of a call takes
 * APP_JANKY_NS if `ends_janky` is set. The draw stage takes the rest of 2 ms. */
void app_write(struct dj_segment_writer *writer, uint64_t key, const char *title,
               size_t count, bool ends_janky);

/* Opens a view of this app. The test fails if this is not possible. */
struct dj_live *app_open(void);

/* Updates the view. The test fails if this is not possible. Returns the number of new
 * frames. */
size_t app_update(struct dj_live *live);

/* Returns new frame number `index` of the last update. */
const struct dj_live_frame *app_new_frame(const struct dj_live *live, size_t index);

/* Starts a process of this app that writes `count` frames and then ends when the test
 * writes to *end. */
pid_t app_start_process(size_t count, int *end);

/* Lets the process end, and waits for it. */
void app_end_process(pid_t process, int end);

#endif
