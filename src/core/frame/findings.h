/* The guide's advice per column, as rules over the rows of a window: which spans of
 * the pipeline took too long, in how many frames, and which was the worst. The text
 * for users is in findings_text.h. */
#ifndef DEJANK_FRAME_FINDINGS_H
#define DEJANK_FRAME_FINDINGS_H

#include "frame/stages.h"
#include "frame/summary.h"

/* In pipeline order; findings about the whole frame are last. */
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
struct dj_finding_rows; /* some rows of a window, see findings.c */

/* A rule: it finds a frame whose time is known and exceeds the limit. */
struct dj_frame_finding_rule {
    const char *id; /* "input-handling": part of the JSON format, never translated */
    enum dj_column start, end; /* equal: a column that is a duration */
    int64_t limit_ns;          /* if `intervals` is 0 */
    double intervals; /* limit in frame intervals, truncated to whole ns as hwui does */
    enum dj_stage stage; /* its stage; DJ_STAGE_COUNT: the whole frame */
    bool in_motion;      /* only frames of a steady motion count */
    /* Adds the findings of some rows. */
    void (*look)(const struct dj_frame_finding_rule *rule,
                 const struct dj_finding_rows *rows, struct dj_finding *finding);
};

/* id < DJ_FINDING_COUNT. */
const struct dj_frame_finding_rule *dj_frame_finding_rule(enum dj_finding_id id);

/* The result of a rule. measured_frames 0 means unknown, not "in 0 frames". */
struct dj_finding {
    size_t measured_frames; /* usable rows with a known time */
    size_t frames;          /* of those: above the limit */
    size_t janky_frames;    /* of those: janky by the rule of the release */
    size_t worst_row; /* index of the longest, the first of equal ones; valid only if
                         frames > 0 */
    int64_t worst_ns;
    int64_t total_ns; /* total time of these frames; saturates */
    int64_t limit_ns; /* limit for this window's interval */
};

struct dj_findings {
    struct dj_finding of[DJ_FINDING_COUNT];
};

enum {
    DJ_MOTION_FRAMES = 4,   /* frames of a motion before it counts as steady */
    DJ_MOTION_INTERVALS = 2 /* a frame that begins this long after the last completion
                               begins another motion */
};

/* Applies all rules to rows that dj_frame_summarize() judged: facts[i] describes
 * frames[i], and interval_ns > 0 is the interval they were judged with. Only usable rows
 * count.
 *
 * A motion (a scroll, an animation) is a sequence of rows, including stale ones and
 * those with flag 1, that each begin less than DJ_MOTION_INTERVALS intervals after the
 * completion of the previous one. It is steady from its frame DJ_MOTION_FRAMES + 1 on.
 * O(n), no allocation.
 *
 * Sets bit 1 << id of marks[i] if the rule found frames[i]. The caller has cleared the
 * marks. NULL: not wanted. */
void dj_frame_findings_mark(const struct dj_frame *frames, size_t count,
                            const struct dj_row_facts *facts, int64_t interval_ns,
                            struct dj_findings *findings, uint32_t *marks);

/* Sorts the findings with frames by severity, most severe first: by janky frames, then
 * frames, then time. Returns their number. */
size_t dj_frame_findings_sort(const struct dj_findings *findings,
                              enum dj_finding_id order[DJ_FINDING_COUNT]);

#endif
