/* The guide's advice per column, as rules over the rows of a window: which spans of the
 * pipeline took longer than they should, in how many frames, and which was the worst. The
 * words for people are in findings_text.h. */
#ifndef DEJANK_FRAME_FINDINGS_H
#define DEJANK_FRAME_FINDINGS_H

#include "frame/stages.h"
#include "frame/summary.h"

/* In the order of the pipeline; what concerns the frame as a whole stands last. */
enum dj_finding_id {
    DJ_FINDING_UI_THREAD_LATE,
    DJ_FINDING_INPUT_HANDLING,
    DJ_FINDING_ANIMATION,
    DJ_FINDING_LAYOUT_IN_MOTION,
    DJ_FINDING_DRAW,
    DJ_FINDING_RENDER_THREAD_BUSY,
    DJ_FINDING_SYNC,
    DJ_FINDING_DRAW_COMMANDS,
    DJ_FINDING_DEQUEUE_BUFFER,
    DJ_FINDING_QUEUE_BUFFER,
    DJ_FINDING_GPU,
    DJ_FINDING_DEADLINE_MISSED,
    DJ_FINDING_INPUT_LATENCY,
    DJ_FINDING_HANG,
    DJ_FINDING_COUNT
};

struct dj_finding;
struct dj_finding_rows; /* some rows of a window: findings.c's own */

/* One rule: a frame is found where its time is known and longer than the limit. */
struct dj_finding_rule {
    const char *id; /* "input-handling": a contract of the JSON, never translated */
    enum dj_column start, end; /* the same twice: a column that is a length itself */
    int64_t limit_ns;          /* where `intervals` is 0 */
    double intervals;    /* the limit in frame intervals, truncated to whole ns as hwui
                            does */
    enum dj_stage stage; /* it belongs to; DJ_STAGE_COUNT: to the frame as a whole */
    bool in_motion;      /* only frames of a steady movement can tell */
    /* Adds what it finds in some rows. */
    void (*look)(const struct dj_finding_rule *rule, const struct dj_finding_rows *rows,
                 struct dj_finding *finding);
};

/* id < DJ_FINDING_COUNT. */
const struct dj_finding_rule *dj_finding_rule(enum dj_finding_id id);

/* What a rule found. Where measured_frames is 0 nothing is known: that is not "in 0
 * frames". */
struct dj_finding {
    size_t measured_frames; /* usable rows that can tell */
    size_t frames;          /* of those: beyond the limit */
    size_t janky_frames;    /* of those: janky by the rule that judged the rows */
    size_t worst_row;       /* index of the longest, the first of equals; only where
                               frames > 0 */
    int64_t worst_ns;
    int64_t total_ns; /* what these frames spent there in all; saturates */
    int64_t limit_ns; /* beyond which it counts, for this window's interval */
};

struct dj_findings {
    struct dj_finding of[DJ_FINDING_COUNT];
};

enum {
    DJ_MOTION_FRAMES = 4,   /* frames that a movement needs before it is called steady */
    DJ_MOTION_INTERVALS = 2 /* a frame begun so long after the last was complete does not
                               belong to the same movement */
};

/*
 * Looks for all of them in rows that dj_summarize() judged: facts[i] is of frames[i], and
 * interval_ns > 0 the interval they were judged by. Only usable rows count.
 *
 * A movement (a scroll, an animation) is a run of rows, flag 1 and stale ones included,
 * each begun less than DJ_MOTION_INTERVALS intervals after the one before was complete;
 * it is steady from its frame DJ_MOTION_FRAMES + 1 on. O(n), no allocation.
 *
 * Sets bit 1 << id of marks[i] where the rule found frames[i]. The caller has cleared
 * them; NULL: not asked for.
 */
void dj_findings_mark(const struct dj_frame *frames, size_t count,
                      const struct dj_row_facts *facts, int64_t interval_ns,
                      struct dj_findings *findings, uint32_t *marks);

/* Those that were found, the gravest first: by janky frames, then frames, then time.
 * Returns how many. */
size_t dj_findings_order(const struct dj_findings *findings,
                         enum dj_finding_id order[DJ_FINDING_COUNT]);

#endif
