/* Findings: rules that check the advice of Android's guide to profiling frames, column by
 * column, for the rows of a measurement window. A finding states which time exceeded its
 * limit, in how many frames, and in which frame the time was longest. findings_text.h
 * contains the text for users. */
#ifndef DEJANK_FRAME_FINDINGS_H
#define DEJANK_FRAME_FINDINGS_H

#include "frame/stages.h"
#include "frame/summary.h"

/* The rules in pipeline order. Rules about the whole frame are last. */
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
/* The rows that a rule checks in one pass. findings.c defines the struct. */
struct dj_finding_rows;

/* A rule. It finds frames in which a time is known and longer than a limit. */
struct dj_frame_finding_rule {
    /* Identifier in JSON output, for example "input-handling". It must never change. */
    const char *id;
    /* Columns between which the rule measures. If equal, the column is a duration. */
    enum dj_column start, end;
    int64_t limit_ns; /* Limit in ns, used if `intervals` is 0. */
    /* Limit in frame intervals. hwui truncates the product to whole ns. */
    double intervals;
    /* Pipeline stage that the rule checks, or DJ_STAGE_COUNT for the whole frame. */
    enum dj_stage stage;
    /* Whether the rule checks only frames of a steady motion (see
     * dj_frame_findings_mark()). */
    bool in_motion;
    /* Checks some rows and adds the result to *finding. */
    void (*check)(const struct dj_frame_finding_rule *rule,
                  const struct dj_finding_rows *rows, struct dj_finding *finding);
};

/* Returns the rule. `id` must be less than DJ_FINDING_COUNT. */
const struct dj_frame_finding_rule *dj_frame_finding_rule(enum dj_finding_id id);

/* The result of a rule for one window. If measured_frames is 0, the result is unknown. */
struct dj_finding {
    size_t measured_frames; /* Number of usable rows in which the time is known. */
    size_t frames;          /* Number of measured frames above the limit. */
    /* Number of frames above the limit that are janky by the release's rule. */
    size_t janky_frames;
    /* Index of the row with the longest time, or of the first of several. Valid only if
     * frames > 0. */
    size_t worst_row;
    int64_t worst_ns;
    /* Total time of the frames above the limit in ns, at most INT64_MAX. */
    int64_t total_ns;
    int64_t limit_ns; /* Limit in ns for the frame interval of this window. */
};

struct dj_findings {
    struct dj_finding of[DJ_FINDING_COUNT];
};

enum {
    /* Number of frames of a motion after which the motion is steady. */
    DJ_MOTION_FRAMES = 4,
    /* A motion ends if no frame begins for this many intervals after the last
     * completion. */
    DJ_MOTION_INTERVALS = 2
};

/* Applies all rules to the usable rows of a window. dj_frame_summarize() must have
 * filled facts[i] for each frames[i], with the same interval_ns. interval_ns must be
 * greater than 0.
 *
 * A motion (a scroll or an animation) is a sequence of rows in which each begins less
 * than DJ_MOTION_INTERVALS intervals after the completion of the previous row. Stale
 * rows and rows with flag 1 belong to the motion too. A motion is steady after its first
 * DJ_MOTION_FRAMES frames.
 *
 * Sets bit 1 << id of marks[i] if rule `id` found frames[i]. The caller initializes the
 * marks to 0. `marks` may be NULL. O(n), no allocation. */
void dj_frame_findings_mark(const struct dj_frame *frames, size_t count,
                            const struct dj_row_facts *facts, int64_t interval_ns,
                            struct dj_findings *findings, uint32_t *marks);

/* Writes to `order` the findings that have frames, most severe first: by janky frames,
 * then by frames, then by total time. Returns the number of findings written. */
size_t dj_frame_findings_sort(const struct dj_findings *findings,
                              enum dj_finding_id order[DJ_FINDING_COUNT]);

#endif
