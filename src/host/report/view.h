/*
 * report: what the figures look like — a text for the terminal, a self-contained HTML
 * file. It computes nothing that the other rooms compute (frame, stats) and prints
 * nothing itself: text in memory goes back to the verb. Names in a dump come from outside
 * and are escaped for where they go. Not thread-safe beyond its arguments; no globals.
 *
 * This header: what one report page shows — a window of a process, with its frames judged
 * and cut into stages.
 */
#ifndef DEJANK_REPORT_VIEW_H
#define DEJANK_REPORT_VIEW_H

#include "base/units.h"
#include "frame/stages.h"
#include "import/parsed_dump.h"

/* One row of the dump's framestats. */
struct dj_view_frame {
    const struct dj_frame *frame;
    size_t row;    /* of its window, from 1: so `dejank parse --frames` counts, and
                      whatever names a frame to a person */
    int64_t at_ns; /* its IntendedVsync, since that of the first frame */
    int64_t frame_time_ns;  /* hwui's duration(), stalls taken out; > 0 */
    int64_t guide_total_ns; /* FrameCompleted − IntendedVsync; > 0 */
    bool janky;
    struct dj_stages stages;
};

/* Where a view's figures come from. */
enum dj_origin {
    DJ_ORIGIN_GFXINFO,
    DJ_ORIGIN_GRAPHICSSTATS, /* counters of a package's day */
    DJ_ORIGIN_DAVEYS /* very long frames that a log names: of others nothing is known */
};

struct dj_view {
    const struct dj_parsed *parsed;
    enum dj_origin origin;
    const struct dj_dump_process *process; /* never NULL */
    char pid_name[32];                     /* "pid 12", "unnamed process" */
    const struct dj_dump_window *window;   /* NULL: the process alone */
    const struct dj_stats_block *hwui; /* the window's own, else the process's, or NULL */
    bool hwui_of_window;
    const struct dj_dialect *dialect;   /* its rows are judged by; never NULL */
    bool release_known;                 /* … which is the release of the process, too */
    int64_t interval_ns;                /* > 0 */
    bool interval_assumed;              /* nobody said it: 60 Hz */
    struct dj_summary summary;          /* of the window's rows, as parsed has it */
    const struct dj_findings *findings; /* in them; NULL without a window */
    struct dj_view_frame *frames; /* the usable rows the rule judges, oldest first */
    size_t frame_count;
    uint32_t stages_known; /* bit n: stage n is known in at least one frame */
};

/* Zero it before use. */
struct dj_views {
    struct dj_view *view;
    size_t count;
    struct dj_parsed **made; /* of what else the dumps held; owned */
    size_t made_count;
};

/* Appends one view per window of the dump, or one of a process where it has none; then
 * one per entry of graphicsstats, and one per process whose long frames a log names. None
 * at all where none of these is in it. The views point into *parsed, which stays the
 * caller's and where it is. */
void dj_views_add(struct dj_views *views, const struct dj_parsed *parsed);
void dj_views_finish(struct dj_views *views);

/* The process's name, "pid 12" where it has none; escaped by the caller. Valid as long as
 * the view. */
const char *dj_view_process_name(const struct dj_view *view);

/* The window's title; NULL for a process alone, or where its only window has none. */
const char *dj_view_window_name(const struct dj_view *view);

/* Frames that hwui counted; 0 where there is no statistics block. */
uint32_t dj_view_hwui_frames(const struct dj_view *view);

/* True where the simple dump ("Profile GPU rendering") has rows. */
bool dj_view_has_profile(const struct dj_view *view);

/* True where neither rows nor counters tell of any frame: that is said, and never reads
 * as smooth. */
bool dj_view_is_empty(const struct dj_view *view);

/* Where each of hwui's buckets starts, in whole ms; each lasts to the next one's start,
 * the last has no end. */
void dj_view_bucket_edges(uint32_t from_ms[DJ_FRAME_BUCKETS]);

/* ---- the longest frames ---- */

enum { DJ_LONGEST_FRAMES = 5 };

/* Indices of the view's longest frames, the longest first, of equals the earlier first.
 * Returns how many. */
size_t dj_view_longest(const struct dj_view *view, size_t longest[DJ_LONGEST_FRAMES]);

/* The longest stage that is part of a frame's own time: the wait is not. DJ_STAGE_COUNT
 * where none is known. */
enum dj_stage dj_longest_stage(const struct dj_stages *stages);

#endif
