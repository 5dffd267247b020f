#include "app.h"

#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

/* IntendedVsync of the next frame of the window with this key. */
static int64_t *get_clock(uint64_t key)
{
    static int64_t clocks[64];
    if (clocks[key % 64] == 0) {
        clocks[key % 64] = dj_host_now_ns();
    }
    return &clocks[key % 64];
}

static struct dj_frame make_frame(int64_t start_ns, int64_t frame_ns)
{
    struct dj_frame frame = {0};
    int64_t end_ns = start_ns + frame_ns;
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, start_ns);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, start_ns);
    dj_frame_set(&frame, DJ_COLUMN_HANDLE_INPUT_START, start_ns);
    dj_frame_set(&frame, DJ_COLUMN_ANIMATION_START, start_ns + 500000);
    dj_frame_set(&frame, DJ_COLUMN_PERFORM_TRAVERSALS_START, start_ns + 1000000);
    dj_frame_set(&frame, DJ_COLUMN_DRAW_START, start_ns + 1500000);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, end_ns - 2000000);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, end_ns - 2000000);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, end_ns - 1500000);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, end_ns - 1000000);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, end_ns);
    return frame;
}

void app_write(struct dj_segment_writer *writer, uint64_t key, const char *title,
               size_t count, bool ends_janky)
{
    struct dj_window_writer *window = dj_segment_open_window(writer, key, title);
    cr_assert_not_null(window);
    int64_t *clock_ns = get_clock(key);
    for (size_t i = 0; i < count; i++) {
        bool is_janky = ends_janky && i + 1 == count;
        struct dj_frame frame =
            make_frame(*clock_ns, is_janky ? APP_JANKY_NS : APP_FRAME_NS);
        *clock_ns += is_janky ? 3 * APP_STEP_NS : APP_STEP_NS;
        cr_assert(dj_segment_write_frame(writer, window, key, &frame, NULL));
    }
}

struct dj_live *app_open(void)
{
    struct dj_live *live;
    struct dj_error err = {0};
    cr_assert_eq(dj_live_open("local:", APP_NAME, &live, &err), 0, "%s", err.message);
    return live;
}

size_t app_update(struct dj_live *live)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_live_update(live, &err), 0, "%s", err.message);
    return dj_live_new_count(live);
}

const struct dj_live_frame *app_new_frame(const struct dj_live *live, size_t index)
{
    size_t first = dj_live_frame_count(live) - dj_live_new_count(live);
    return dj_live_get_frame(live, first + index);
}

static void run_process(size_t count, int ready, int end)
{
    struct dj_segment_writer writer = {0};
    char byte = 0;
    test_create(&writer);
    app_write(&writer, 1, "Main", count, false);
    cr_assert_eq(write(ready, "r", 1), 1);
    cr_assert_geq(read(end, &byte, 1), 0);
    dj_segment_unmap(&writer);
    _exit(0);
}

pid_t app_start_process(size_t count, int *end)
{
    int ready_pipe[2];
    int end_pipe[2];
    char byte;
    cr_assert_eq(pipe(ready_pipe), 0);
    cr_assert_eq(pipe(end_pipe), 0);
    pid_t process = fork();
    if (process == 0) {
        close(end_pipe[1]);
        run_process(count, ready_pipe[1], end_pipe[0]);
    }
    close(ready_pipe[1]);
    close(end_pipe[0]);
    cr_assert_eq(read(ready_pipe[0], &byte, 1), 1, "the process did not start");
    close(ready_pipe[0]);
    *end = end_pipe[1];
    return process;
}

void app_end_process(pid_t process, int end)
{
    int status;
    cr_assert_eq(write(end, "e", 1), 1);
    close(end);
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_assert_eq(status, 0);
}
