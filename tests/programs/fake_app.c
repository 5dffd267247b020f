/* Writes a segment with known frames, for tests of programs that read segments. Needs
 * no display.
 *
 *   fake_app NAME [OPTION VALUE]…
 *     --program P        base name of the executable (fake_app)
 *     --window TITLE     a window; several may be given ("main")
 *     --frames N         frames written to each window (10)
 *     --janky K          every Kth frame takes 40 ms, the others 8 ms (0: none)
 *     --base NS          IntendedVsync of the first frame (1 000 000 000 000)
 *     --keep N           rows kept per window (4096)
 *     --profile 1        the simple dump is on from the start
 *     --pipelines MASK   bit mask of pipelines (1: GLX)
 *     --disabled REASON  recording has stopped
 *     --release R        release whose rule counts the frames (11)
 *     --app-version V    version of the app, for graphicsstats
 *     --children N       number of child processes, named NAME:1 …
 *     --age S            the process started S seconds ago, by the wall clock (0)
 *     --visibility V     visibility of all windows, in Android's numbers (0)
 *     --views N          number of views of window 1; window K has K times as many
 *                        (unknown)
 *
 * Prints "ready PID PATH" and then reads commands from stdin. "frames N" writes N more
 * frames and prints "done". "kill" kills the process by SIGKILL while it writes a
 * frame. The program ends at the end of its input. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "segment/directory.h"
#include "segment/writer.h"

enum { INTERVAL_NS = 16666667, MS_NS = 1000000, TITLES_MAX = 32, CHILDREN_MAX = 1000 };

struct plan {
    const char *name, *program, *disabled, *release, *app_version;
    const char *titles[TITLES_MAX];
    size_t title_count;
    long long frames, janky, base_ns, keep, profile, pipelines, children, age, visibility,
        views;
};

static struct dj_segment_writer writer;
static long long written; /* Number of frames written to each window. */

static void die(const char *what)
{
    fprintf(stderr, "fake_app: %s\n", what);
    exit(1);
}

/* Stores the value of an option. */
static void take_option(struct plan *plan, const char *option, const char *value)
{
    const struct {
        const char *name;
        long long *number;
        const char **text;
    } options[] = {
        {"--program", NULL, &plan->program},
        {"--disabled", NULL, &plan->disabled},
        {"--release", NULL, &plan->release},
        {"--app-version", NULL, &plan->app_version},
        {"--window", NULL, &plan->titles[plan->title_count % TITLES_MAX]},
        {"--frames", &plan->frames, NULL},
        {"--janky", &plan->janky, NULL},
        {"--base", &plan->base_ns, NULL},
        {"--keep", &plan->keep, NULL},
        {"--profile", &plan->profile, NULL},
        {"--pipelines", &plan->pipelines, NULL},
        {"--children", &plan->children, NULL},
        {"--age", &plan->age, NULL},
        {"--visibility", &plan->visibility, NULL},
        {"--views", &plan->views, NULL},
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (strcmp(option, options[i].name) != 0) {
            continue;
        }
        if (options[i].number != NULL) {
            *options[i].number = strtoll(value, NULL, 10);
        } else {
            *options[i].text = value;
            plan->title_count += strcmp(option, "--window") == 0;
        }
        return;
    }
    die("no such option");
}

static struct dj_frame frame_at(const struct plan *plan, long long index)
{
    struct dj_frame frame = {0};
    bool janky = plan->janky > 0 && index % plan->janky == plan->janky - 1;
    int64_t start = plan->base_ns + index * 50 * MS_NS;
    int64_t work = (janky ? 40 : 8) * (int64_t)MS_NS;
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, start);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, start);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, start + work - 4 * MS_NS);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, start + work - 3 * MS_NS);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, start + work - 2 * MS_NS);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, start + work - MS_NS);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, start + work);
    return frame;
}

static void write_frames(const struct plan *plan, long long count)
{
    for (long long i = 0; i < count; i++, written++) {
        struct dj_frame frame = frame_at(plan, written);
        for (size_t k = 0; k < plan->title_count; k++) {
            struct dj_window_writer *window =
                dj_segment_open_window(&writer, 0xa0 + k, plan->titles[k]);
            if (window == NULL ||
                !dj_segment_write_frame(&writer, window, 0xa0 + k, &frame, NULL)) {
                die("a frame was not written");
            }
        }
    }
}

static void tell_of_windows(const struct plan *plan)
{
    for (size_t k = 0; k < plan->title_count; k++) {
        struct dj_window_writer *window = dj_segment_find_window(&writer, 0xa0 + k);
        if (window != NULL) {
            dj_segment_set_visibility(window, 0xa0 + k,
                                      (enum dj_visibility)plan->visibility);
            dj_segment_set_views(window, 0xa0 + k,
                                 (uint32_t)(plan->views * (long long)(k + 1)));
        }
    }
}

static void open_segment(const struct plan *plan, const char *name)
{
    struct dj_segment_directory place;
    struct dj_error err = {0};
    struct timespec now, wall;
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_gettime(CLOCK_REALTIME, &wall);
    const struct dj_segment_options options = {
        .directory = place.path,
        .name = name,
        .program = plan->program,
        .dialect = plan->release != NULL ? dj_frame_dialect_find(plan->release)
                                         : dj_frame_dialect_default(),
        .keep = (uint32_t)plan->keep,
        .interval_ns = INTERVAL_NS,
        .profile = plan->profile != 0,
        .now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec,
        .wall_ns = ((int64_t)wall.tv_sec - plan->age) * 1000000000 + wall.tv_nsec,
        .app_version = plan->app_version,
    };
    if (dj_segment_ensure_directory(&place, &err) != 0 ||
        dj_segment_create(&writer, &options, &err) != 0) {
        die(err.message);
    }
    atomic_store(&writer.header->pipelines, (uint32_t)plan->pipelines);
    write_frames(plan, plan->frames);
    tell_of_windows(plan);
    if (plan->disabled != NULL) {
        dj_segment_disable(&writer, plan->disabled);
    }
    printf("ready %d %s/%d.%llu\n", (int)getpid(), place.path, (int)getpid(),
           (unsigned long long)dj_segment_process_start_ticks(getpid()));
    fflush(stdout);
}

/* Starts the child processes. Like the hooks after a fork, each child unmaps the
 * parent's segment and creates its own. */
static void start_children(const struct plan *plan)
{
    for (long long i = 1; i <= plan->children && i <= CHILDREN_MAX; i++) {
        char name[DJ_SEGMENT_NAME];
        pid_t child = fork();
        if (child != 0) {
            continue;
        }
        snprintf(name, sizeof(name), "%s:%lld", plan->name, i);
        dj_segment_unmap(&writer);
        written = 0;
        open_segment(plan, name);
        for (char byte; read(STDIN_FILENO, &byte, 1) > 0;) {
        }
        _exit(0);
    }
}

/* Kills the process, and leaves a half-written frame: a row that is begun but not
 * published, and a copy of the sums that is being changed. */
static void die_in_mid_frame(void)
{
    struct dj_segment_open_window *window = writer.window[0].shared;
    atomic_fetch_add(&window->begun, 1);
    atomic_fetch_add(&window->stats[0].sequence, 1);
    atomic_fetch_add(&window->stats[0].total.counter[DJ_COUNTER_TOTAL], 1);
    raise(SIGKILL);
}

static void obey(const struct plan *plan, const char *line)
{
    if (strncmp(line, "frames ", 7) == 0) {
        write_frames(plan, strtoll(line + 7, NULL, 10));
    } else if (strcmp(line, "kill\n") == 0) {
        die_in_mid_frame();
    } else {
        die("no such order");
    }
    puts("done");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct plan plan = {.program = "fake_app",
                        .frames = 10,
                        .base_ns = 1000000000000,
                        .keep = DJ_SEGMENT_KEEP,
                        .pipelines = 1};
    if (argc < 2 || argc % 2 != 0) {
        die("usage: fake_app NAME [OPTION VALUE]…");
    }
    plan.name = argv[1];
    for (int i = 2; i < argc; i += 2) {
        take_option(&plan, argv[i], argv[i + 1]);
    }
    if (plan.title_count == 0) {
        plan.titles[plan.title_count++] = "main";
    }
    open_segment(&plan, plan.name);
    start_children(&plan);
    for (char line[64]; fgets(line, sizeof(line), stdin) != NULL;) {
        obey(&plan, line);
    }
    while (wait(NULL) > 0 || errno == EINTR) {
    }
    return 0;
}
