/* Does everything that may happen to a segment at the same time, for ThreadSanitizer
 * and for its own checks. Threads swap on their own windows and on a shared one,
 * declare frames, add values later, change titles, and read and reset the segment.
 *
 *   races [ROUNDS]    (2000)
 *
 * Exit status 0 if every frame was recorded or counted as dropped, and the segment was
 * read and reset at least once. The segment is in a new folder in $TMPDIR or /tmp. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder.h"
#include "segment/directory.h"
#include "segment/snapshot.h"

enum { SWAPPERS = 4, RING = 64 };

static const struct dj_surface together = {DJ_PIPELINE_GLX, 99};
static const struct dj_surface widget = {DJ_PIPELINE_GTK, 1};

static char path[DJ_SEGMENT_PATH + 64];
static long rounds = 2000;
static _Atomic bool stop;
static _Atomic uint64_t presented, resets, pictures, amended;

/* Frames whose presentation time is still to be added. The newest frames replace the
 * oldest ones. */
static struct {
    pthread_mutex_t lock;
    struct dj_recorded_frame frames[RING];
    size_t next;
} late = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remember(const struct dj_recorded_frame *frame)
{
    pthread_mutex_lock(&late.lock);
    late.frames[late.next++ % RING] = *frame;
    pthread_mutex_unlock(&late.lock);
}

static void swap(struct dj_surface surface)
{
    struct dj_swap swap = {.stack = (uintptr_t)&swap};
    dj_recorder_begin_swap(&swap);
    struct dj_recorded_frame frame = dj_recorder_end_swap(&swap, surface, true);
    atomic_fetch_add(&presented, 1);
    remember(&frame);
}

static void *swap_for_long(void *argument)
{
    const uint64_t *number = argument;
    const struct dj_surface own = {DJ_PIPELINE_EGL, *number};
    for (long i = 0; i < rounds; i++) {
        dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, dj_recorder_clock_ns());
        swap(own);
        swap(together);
    }
    return NULL;
}

static void *declare_for_long(void *unused)
{
    for (long i = 0; i < rounds; i++) {
        dj_recorder_open_frame(widget);
        dj_recorder_stamp_stage(DJ_COLUMN_ANIMATION_START, dj_recorder_clock_ns());
        struct dj_recorded_frame frame = dj_recorder_close_frame(true);
        atomic_fetch_add(&presented, 1);
        remember(&frame);
    }
    return unused;
}

static void *amend_for_ever(void *unused)
{
    for (size_t i = 0; !atomic_load(&stop); i++) {
        pthread_mutex_lock(&late.lock);
        struct dj_recorded_frame frame = late.frames[i % RING];
        pthread_mutex_unlock(&late.lock);
        dj_recorder_amend_frame(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME,
                                dj_recorder_clock_ns());
        atomic_fetch_add(&amended,
                         dj_recorder_amend_frame(&frame, DJ_COLUMN_GPU_COMPLETED,
                                                 dj_recorder_clock_ns()));
    }
    return unused;
}

static void *tell_for_ever(void *unused)
{
    for (unsigned i = 0; !atomic_load(&stop); i++) {
        struct dj_surface surface = i % 2 == 0 ? widget : together;
        dj_recorder_set_title(surface, i % 3 == 0 ? "short" : "a longer title");
        dj_recorder_set_interval(surface, 8333333 + i % 2);
        dj_recorder_set_visibility(surface, i % 2 == 0 ? DJ_VISIBLE : DJ_GONE);
        dj_recorder_set_views(surface, i);
    }
    return unused;
}

static bool read_once(bool reset)
{
    struct dj_snapshot snapshot;
    const struct dj_snapshot_options whole = {0};
    struct dj_error err = {0};
    int code = dj_segment_snapshot_read(path, geteuid(), &whole, &snapshot, &err);
    if (code == 0 && reset) {
        code =
            dj_segment_reset_to(path, geteuid(), &snapshot, dj_recorder_clock_ns(), &err);
    }
    dj_segment_snapshot_finish(&snapshot);
    if (code != 0) {
        fprintf(stderr, "races: %s\n", err.message);
    }
    return code == 0;
}

static void *read_for_ever(void *unused)
{
    while (!atomic_load(&stop) && read_once(false)) {
        atomic_fetch_add(&pictures, 1);
    }
    return unused;
}

static void *reset_for_ever(void *unused)
{
    while (!atomic_load(&stop) && read_once(true)) {
        atomic_fetch_add(&resets, 1);
    }
    return unused;
}

static void run_all(void)
{
    static uint64_t numbers[SWAPPERS] = {1, 2, 3, 4};
    static void *(*const sides[])(void *) = {amend_for_ever, tell_for_ever, read_for_ever,
                                             reset_for_ever};
    enum { SIDES = sizeof(sides) / sizeof(sides[0]) };
    pthread_t workers[SWAPPERS + 1], others[SIDES];
    for (size_t i = 0; i < SIDES; i++) {
        pthread_create(&others[i], NULL, sides[i], NULL);
    }
    for (size_t i = 0; i < SWAPPERS; i++) {
        pthread_create(&workers[i], NULL, swap_for_long, &numbers[i]);
    }
    pthread_create(&workers[SWAPPERS], NULL, declare_for_long, NULL);
    for (size_t i = 0; i <= SWAPPERS; i++) {
        pthread_join(workers[i], NULL);
    }
    atomic_store(&stop, true);
    for (size_t i = 0; i < SIDES; i++) {
        pthread_join(others[i], NULL);
    }
}

/* Returns true if each frame is in the sums or is counted as dropped, and the segment
 * was read and reset. */
static bool all_counted(void)
{
    struct dj_snapshot snapshot;
    struct dj_error err = {0};
    const struct dj_snapshot_options all = {.ignore_reset = true};
    uint64_t counted = 0;
    if (dj_segment_snapshot_read(path, geteuid(), &all, &snapshot, &err) != 0) {
        fprintf(stderr, "races: %s\n", err.message);
        return false;
    }
    for (size_t i = 0; i < snapshot.window_count; i++) {
        counted += snapshot.windows[i].cumulative.counter[DJ_COUNTER_TOTAL];
    }
    printf("presented %llu counted %llu dropped %llu amended %llu pictures %llu resets "
           "%llu\n",
           (unsigned long long)presented, (unsigned long long)counted,
           (unsigned long long)snapshot.dropped, (unsigned long long)amended,
           (unsigned long long)pictures, (unsigned long long)resets);
    bool complete = counted + snapshot.dropped == presented;
    dj_segment_snapshot_finish(&snapshot);
    return complete && pictures > 0 && resets > 0;
}

int main(int argc, char **argv)
{
    char folder[DJ_SEGMENT_PATH];
    const char *place = getenv("TMPDIR");
    rounds = argc > 1 ? strtol(argv[1], NULL, 10) : rounds;
    snprintf(folder, sizeof(folder), "%s/dejank-races-XXXXXX",
             place != NULL ? place : "/tmp");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 2;
    }
    setenv("DEJANK_DIR", folder, 1);
    snprintf(path, sizeof(path), "%s/%d.%llu", folder, (int)getpid(),
             (unsigned long long)dj_segment_process_start_ticks(getpid()));
    dj_recorder_load();
    swap(together); /* The first swap creates the segment, which the readers need. */
    run_all();
    bool good = all_counted();
    unlink(path);
    rmdir(folder);
    return good ? 0 : 1;
}
