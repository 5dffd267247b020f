#include "report/dump_replay.h"

#include <string.h>

#include "frame/tracker.h"
#include "gfxinfo/print.h"
#include "memory/memory.h"

enum {
    SINCE_NS = 424242, /* Time "Stats since" in the recorded outputs of hwui. */
    RING_ROWS = 120    /* Number of rows that hwui stores. */
};

static const char *const block_names[] = {
    [DJ_REPLAY_PROCESS] = "process",
    [DJ_REPLAY_WINDOW] = "window",
    [DJ_REPLAY_FRAMESTATS] = "framestats",
};

bool dj_report_replay_block_find(const char *name, enum dj_replay_block *block)
{
    for (size_t i = 0; i < COUNT_OF(block_names); i++) {
        if (strcmp(block_names[i], name) == 0) {
            *block = (enum dj_replay_block)i;
            return true;
        }
    }
    return false;
}

int dj_report_replay_check(const struct dj_dialect *dialect, enum dj_replay_block block,
                           struct dj_error *err)
{
    if (dialect->columns.count == 0) {
        return dj_error_set(err, DJ_E_USAGE,
                            "Android %s prints neither statistics nor framestats: there "
                            "is nothing to replay",
                            dialect->name);
    }
    if (block == DJ_REPLAY_WINDOW && !dialect->window_stats) {
        return dj_error_set(err, DJ_E_USAGE,
                            "Android %s prints no statistics of a window (8 is the first "
                            "that does): try --block process",
                            dialect->name);
    }
    return 0;
}

/* The display settings with which hwui's outputs were recorded (gfxinfo.md §8). For these
 * releases, they replace the settings in the JSON. In Android 9 and 10, hwui's tracker
 * always had a display of 60 Hz and offsets that forgive 4 ms. Android 7.1 was built
 * without HWC2, so hwui forgave nothing. */
static const struct {
    const char *release;
    int64_t vsync_ns; /* Frame interval, or 0 to use the interval in the JSON object. */
    int64_t forgiveness_ns;
} conditions[] = {
    {"7.1", 0, 0},
    {"9", 16666667, 4000000},
    {"9-10", 16666667, 4000000},
    {"10", 16666667, 4000000},
};

static void start_tracker(struct dj_tracker *tracker, const struct dj_replay *replay,
                          const struct dj_dialect *dialect)
{
    int64_t vsync_ns = replay->vsync_ns;
    int64_t forgiveness_ns =
        dj_frame_compute_forgiveness_ns(replay->sf_offset_ns, replay->app_offset_ns);
    for (size_t i = 0; i < COUNT_OF(conditions); i++) {
        if (strcmp(conditions[i].release, dialect->name) == 0) {
            vsync_ns =
                conditions[i].vsync_ns > 0 ? conditions[i].vsync_ns : replay->vsync_ns;
            forgiveness_ns = conditions[i].forgiveness_ns;
        }
    }
    dj_frame_tracker_init(tracker, dialect, vsync_ns);
    tracker->forgiveness_ns = forgiveness_ns;
}

static void feed(struct dj_replay *replay, const struct dj_dialect *dialect,
                 struct dj_stats *stats)
{
    struct dj_tracker tracker;
    start_tracker(&tracker, replay, dialect);
    for (size_t i = 0; i < replay->frame_count; i++) {
        struct dj_verdict verdict;
        dj_frame_tracker_judge(&tracker, &replay->frames[i], &verdict);
        dj_frame_stats_add(stats, &verdict);
        if (verdict.deadline_moved) {
            replay->frames[i].value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
        }
    }
}

/* Appends the block without the newlines around it, because they belong to the
 * neighbouring blocks. */
static void append_bare(struct dj_text *text, const struct dj_text *block)
{
    const char *at = dj_xtext(block);
    size_t length = block->length;
    while (length > 0 && at[length - 1] == '\n') {
        length--;
    }
    size_t before = strspn(at, "\n");
    dj_text_append(text, at + before, length - before);
}

void dj_report_replay(struct dj_text *text, struct dj_replay *replay,
                      const struct dj_dialect *dialect, enum dj_replay_block block)
{
    struct dj_stats stats = {.since_ns = SINCE_NS};
    struct dj_text own = {0};
    feed(replay, dialect, &stats);
    if (block == DJ_REPLAY_FRAMESTATS) {
        size_t skip =
            replay->frame_count > RING_ROWS ? replay->frame_count - RING_ROWS : 0;
        dj_gfxinfo_print_framestats(
            &own, skip > 0 ? replay->frames + skip : replay->frames,
            replay->frame_count - skip, dialect, replay->vsync_ns);
    } else {
        dj_gfxinfo_print_stats(&own, &stats, dialect);
    }
    if (block == DJ_REPLAY_WINDOW) {
        dj_text_add(text, "\nWindow: win\n");
    }
    append_bare(text, &own);
    dj_text_finish(&own);
}
