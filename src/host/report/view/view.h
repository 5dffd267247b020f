/*
 * report: renders results as text for a terminal, self-contained HTML, pictures, JSON,
 * CSV, Markdown and JUnit. It computes no figures that other modules compute (frame,
 * stats), and it prints nothing: it returns text to the command. Names come from outside
 * and are escaped for their destination. No globals; thread-safe if the arguments are.
 *
 * This header: the content of one report page, which is a window of a process with its
 * frames judged and cut into stages.
 */
#ifndef DEJANK_REPORT_VIEW_VIEW_H
#define DEJANK_REPORT_VIEW_VIEW_H

#include "base/units.h"
#include "frame/stages.h"
#include "import/parsed_dump.h"

/* One row of the dump's framestats. */
struct dj_view_frame {
    const struct dj_frame *frame;
    /* Number of the row in its window, from 1, as in `dejank parse --frames` and all
     * messages. */
    size_t row;
    /* The frame's IntendedVsync minus the IntendedVsync of the first frame. */
    int64_t at_ns;
    /* Frame time as hwui's duration() computes it, without stalls. > 0. */
    int64_t frame_time_ns;
    int64_t guide_total_ns; /* FrameCompleted − IntendedVsync; > 0. */
    bool janky;
    struct dj_stages stages;
};

/* The source of a view's figures. */
enum dj_view_origin {
    DJ_ORIGIN_GFXINFO,
    DJ_ORIGIN_GRAPHICSSTATS, /* The counters of a package for a period of time. */
    /* Very long frames that a log names. Nothing is known about other frames. */
    DJ_ORIGIN_DAVEYS
};

struct dj_view {
    const struct dj_parsed *parsed;
    enum dj_view_origin origin;
    const struct dj_dump_process *process; /* The process of the view. Never NULL. */
    /* Name for a process without a name: "pid 12" or "unnamed process". */
    char pid_name[32];
    /* The window, or NULL if the view shows a process without windows. */
    const struct dj_dump_window *window;
    /* The statistics block of the window, or that of the process if the window has none,
     * or NULL. */
    const struct dj_stats_block *hwui;
    bool hwui_of_window;
    /* The dialect whose rule judges the view's rows. Never NULL. */
    const struct dj_dialect *dialect;
    bool release_known;    /* `dialect` is also the release of the process. */
    int64_t interval_ns;   /* Frame interval in ns, > 0. */
    bool interval_assumed; /* The interval is unknown, so 60 Hz is assumed. */
    /* The summary of the window's rows, copied from `parsed`. */
    struct dj_summary summary;
    /* Findings in the rows of the view, or NULL if the view has no window. */
    const struct dj_findings *findings;
    /* The usable rows that the rule judges, oldest first. */
    struct dj_view_frame *frames;
    size_t frame_count;
    uint32_t stages_known; /* Bit n: stage n is known in at least one frame. */
};

/* Zero the struct before use. */
struct dj_views {
    struct dj_view *view;
    size_t count;
    /* Dumps that were built from graphicsstats and log lines. Owned by this struct. */
    struct dj_parsed **extra;
    size_t extra_count;
};

/* Appends one view per window of the dump, or one for a process without windows; then one
 * per entry of graphicsstats, and one per process with long frames in a log. Appends
 * nothing if the dump has none of these. The views point into *parsed, which stays the
 * caller's and must not move. */
void dj_report_add_views(struct dj_views *views, const struct dj_parsed *parsed);

/* Frees the views and the dumps that they own. */
void dj_report_finish_views(struct dj_views *views);

/* Returns the process's name, or "pid 12" if the process has none. The caller escapes the
 * name, which is valid as long as the view. */
const char *dj_view_get_process_name(const struct dj_view *view);

/* Returns the window's title. Returns NULL for a process without windows, or if its only
 * window has no title. */
const char *dj_view_get_window_name(const struct dj_view *view);

/* Returns the number of frames that hwui counted, or 0 without a statistics block. */
uint32_t dj_view_count_hwui_frames(const struct dj_view *view);

/* Returns whether the simple dump ("Profile GPU rendering") has rows. */
bool dj_view_has_profile(const struct dj_view *view);

/* Returns whether neither rows nor counters contain a frame. Every output format reports
 * that the view is empty, and never reports it as smooth. */
bool dj_view_is_empty(const struct dj_view *view);

/* Writes the lower edge of each of hwui's buckets in whole ms. A bucket ends where the
 * next one starts. The last bucket has no end. */
void dj_view_get_bucket_edges(uint32_t from_ms[DJ_FRAME_BUCKETS]);

enum { DJ_LONGEST_FRAMES = 5 };

/* Writes the indices of the view's longest frames, longest first. Equally long frames are
 * sorted by time. Returns the number of indices. */
size_t dj_view_find_longest(const struct dj_view *view,
                            size_t longest[DJ_LONGEST_FRAMES]);

/* Returns the longest stage of a frame, without the wait for the display. Returns
 * DJ_STAGE_COUNT if no stage is known. */
enum dj_stage dj_view_get_longest_stage(const struct dj_stages *stages);

#endif
