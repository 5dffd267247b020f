/* The cost of recording in an app: of reading the clock, of one stamp, and of writing a
 * frame to a segment. */
#include <stdio.h>
#include <stdlib.h>

#include "frame_times.h"
#include "segment/writer.h"

enum { ROUNDS = 21, STAMPS = 200000, FRAMES = 20000, STAGES = 13 };

static const enum dj_column stages[STAGES] = {
    DJ_COLUMN_INTENDED_VSYNC,
    DJ_COLUMN_VSYNC,
    DJ_COLUMN_OLDEST_INPUT_EVENT,
    DJ_COLUMN_NEWEST_INPUT_EVENT,
    DJ_COLUMN_HANDLE_INPUT_START,
    DJ_COLUMN_ANIMATION_START,
    DJ_COLUMN_PERFORM_TRAVERSALS_START,
    DJ_COLUMN_DRAW_START,
    DJ_COLUMN_SYNC_QUEUED,
    DJ_COLUMN_SYNC_START,
    DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
    DJ_COLUMN_SWAP_BUFFERS,
    DJ_COLUMN_FRAME_COMPLETED,
};

/* A measured operation. run() does it `count` times. */
struct work {
    const char *name;
    void (*run)(int count);
    int count;
    double ns[ROUNDS]; /* per operation */
};

static struct dj_segment_writer writer;
static struct dj_window_writer *window;
static volatile int64_t sink;

static void read_clock(int count)
{
    for (int i = 0; i < count; i++) {
        sink = now_ns();
    }
}

static void stamp(int count)
{
    static struct dj_frame frame;
    for (int i = 0; i < count; i++) {
        dj_frame_set(&frame, stages[i % STAGES], now_ns());
        __asm__ volatile("" : : "r"(&frame) : "memory"); /* each stamp is really stored */
    }
}

static void write_frames(int count)
{
    for (int i = 0; i < count; i++) {
        struct dj_frame frame = {0};
        for (int stage = 0; stage < STAGES; stage++) {
            dj_frame_set(&frame, stages[stage], now_ns());
        }
        if (!dj_segment_write_frame(&writer, window, 1, &frame, NULL)) {
            fputs("bench_frame: a frame was dropped\n", stderr);
            exit(1);
        }
    }
}

static void read_clocks(int count)
{
    read_clock(count * STAGES);
}

/* Returns the shortest round, because other programs only make rounds longer. */
static double best(const struct work *work)
{
    double least = work->ns[0];
    for (int i = 1; i < ROUNDS; i++) {
        least = work->ns[i] < least ? work->ns[i] : least;
    }
    return least;
}

static void measure(struct work *works, int work_count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < work_count; i++) {
            int64_t start = now_ns();
            works[i].run(works[i].count);
            works[i].ns[round] = (double)(now_ns() - start) / works[i].count;
        }
    }
}

static int open_segment(const char *directory)
{
    struct dj_error err = {0};
    struct dj_segment_options options = {
        .directory = directory,
        .name = "bench",
        .program = "bench_frame",
        .dialect = dj_frame_dialect_default(),
        .keep = DJ_SEGMENT_KEEP,
        .interval_ns = 16666667,
        .now_ns = now_ns(),
    };
    int status = dj_segment_create(&writer, &options, &err);
    if (status == 0) {
        window = dj_segment_open_window(&writer, 1, "bench");
    }
    if (window == NULL) {
        fprintf(stderr, "bench_frame: no segment in %s: %s\n", directory, err.message);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct work works[] = {
        {.name = "clock", .run = read_clock, .count = STAMPS},
        {.name = "stamp", .run = stamp, .count = STAMPS},
        {.name = "clocks", .run = read_clocks, .count = FRAMES},
        {.name = "frame", .run = write_frames, .count = FRAMES},
    };
    if (argc != 2) {
        fputs("usage: bench_frame FOLDER (its segment is left there)\n", stderr);
        return 2;
    }
    if (open_segment(argv[1]) != 0) {
        return 1;
    }
    measure(works, 4);
    printf("clock read\t%.1f\tns\t\n", best(&works[0]));
    printf("one stamp, more than the clock read\t%.1f\tns\t5\n",
           best(&works[1]) - best(&works[0]));
    printf("a frame of %d stages\t%.0f\tns\t\n", STAGES, best(&works[3]));
    printf("a frame, more than its %d clock reads\t%.0f\tns\t250\n", STAGES,
           best(&works[3]) - best(&works[2]));
    printf("memory of a window of %d frames\t%.0f\tKiB\t1024\n", DJ_SEGMENT_KEEP,
           (double)dj_segment_window_bytes(DJ_SEGMENT_KEEP) / 1024);
    dj_segment_unmap(&writer);
    return 0;
}
