/*
 * gfxinfo: the text of `dumpsys gfxinfo` — one grammar, printed and read with the same
 * tables of lines and columns. Not where the numbers come from (frame, segment). Pure:
 * text in, structs out, and back.
 *
 * This header: a whole dump as a tree, the same whether it was read from text or made
 * from a segment.
 */
#ifndef DEJANK_GFXINFO_DUMP_H
#define DEJANK_GFXINFO_DUMP_H

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "frame/stats.h"
#include "frame/summary.h"

/* A row of the simple dump ("Profile GPU rendering"), ms as printed; columns it lacks are
 * negative: 4.x has no Prepare, and a row may be cut. */
struct dj_profile_row {
    float draw_ms, prepare_ms, process_ms, execute_ms;
};

/* A statistics block. When read, `printed_*` hold what the text said and `lines` which
 * lines were there. Printed are the lines of `lines` that the dialect has; percentiles
 * are computed from the histogram, or repeated where there was none. */
struct dj_stats_block {
    bool present;
    struct dj_stats stats;
    uint32_t
        lines; /* bit n: line n of the table in lines.h was there; ~0 when made by us */
    uint32_t printed_percentile_ms[4]; /* 50, 90, 95, 99; only where the line was there */
    uint32_t printed_gpu_percentile_ms[4];
    /* Of "Janky frames" and of its legacy form; NaN if the text has none or says "nan" */
    double printed_janky_pct, printed_legacy_pct;
    /* Buckets that a histogram's line lacks, which is cut or was shortened: bit n % 64 of
     * word n / 64. None of a block made by us. */
    uint64_t missing_frame[DJ_FRAME_BUCKETS / 64 + 1];
    uint64_t missing_gpu[DJ_GPU_BUCKETS / 64 + 1];
};

struct dj_number {
    int64_t value;
    bool known;
};

/* A column that no release has: a vendor's, or of a release to come. */
struct dj_vendor_column {
    char *name;
    size_t position; /* among all columns of its block, from 0 */
};

/* Text that is neither figures nor rows: caches, buffers, a vendor's own. */
struct dj_dump_section {
    size_t line; /* where it begins in the text, from 1; 0: not read from one */
    char *text;  /* its lines, NUL-free, LF after each but the last */
};

/* Whether bucket n stands in such a mask. */
static inline bool dj_bucket_missing(const uint64_t *mask, size_t n)
{
    return (mask[n / 64] >> n % 64 & 1) != 0;
}

/* The share of a counter of janky frames: as printed, else computed. NaN where there are
 * no frames. */
double dj_block_janky_pct(const struct dj_stats_block *block, enum dj_counter janky);

/* Whether the GPU percentiles are real: hwui prints them also if its GPU histogram is
 * empty. A histogram that was cut may have had values, so this returns true. */
bool dj_block_has_gpu_times(const struct dj_stats_block *block);

/* One window (view root): its title line, and under it rows, statistics and frames, each
 * where present. */
struct dj_dump_window {
    char *title; /* "com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6"; NULL: text had
                    none */
    int visibility;    /* 0 visible, 4 invisible, 8 gone; −1 unknown */
    uint32_t views;    /* in its tree, as "View hierarchy:" counts them; 0: not told */
    double views_kb;   /* their memory; −1 unknown */
    char *stats_title; /* what follows "Window: "; NULL: none */
    struct dj_stats_block stats;
    bool has_frames; /* a framestats block was there, if only an empty one */
    struct dj_column_list columns; /* of that block, in its order; empty: the dialect's
                                      (printing), or none read */
    bool columns_inferred;   /* the block had no header: its columns follow from their
                                number */
    struct dj_frame *frames; /* oldest first; a cut row knows what could be read of it */
    size_t frame_count;
    size_t rows_beyond;              /* rows after them that were counted and not kept */
    size_t rows_unreadable;          /* of those: nothing names their columns */
    size_t unreadable_columns;       /* the first of them has so many; 0: not known */
    struct dj_vendor_column *vendor; /* in the order of their positions */
    size_t vendor_count;
    struct dj_number *vendor_values; /* vendor_count for each frame, frame after frame */
    bool rows_borrowed;         /* `frames` and `vendor_values` belong to another owner */
    bool has_profile;           /* the simple dump's header was there */
    bool profile_lacks_prepare; /* that of 4.x: three columns */
    struct dj_profile_row *profile;
    size_t profile_count;
};

/* What tells the release of a dump. */
enum dj_release_hint {
    DJ_HINT_COLUMNS = 1,  /* the columns of its rows */
    DJ_HINT_LINES = 2,    /* the lines of its statistics */
    DJ_HINT_NO_STATS = 4, /* something was drawn, and there are no statistics: 5 */
    DJ_HINT_NEWER = 8, /* more columns than any release we know: the newest one's rule */
    DJ_HINT_FINGERPRINT = 16,  /* the bug report's build fingerprint states it */
    DJ_HINT_CONTRADICTION = 32 /* … and no such release prints what is there */
};

struct dj_release_evidence {
    uint32_t hints;   /* enum dj_release_hint; 0: nothing tells */
    uint32_t fitting; /* bit n: dj_dialect_at(n) prints what is there */
    size_t columns;   /* how many, where DJ_HINT_COLUMNS */
};

/* Sums that another release's rule had counted, and that were counted anew from the
 * frames still kept. */
struct dj_dump_recount {
    const struct dj_dialect *from, *to; /* NULL, both: they were not */
    uint64_t kept, counted;             /* frames */
};

/* One "** Graphics info" section. */
struct dj_dump_process {
    int64_t pid;     /* −1 unknown */
    char *name;      /* NULL unknown */
    bool continues;  /* goes on with the last process of the dump handed out before */
    bool unfinished; /* the next dump's first process goes on with it */
    const struct dj_dialect *dialect; /* its own where it tells one, else the dump's */
    struct dj_stats_block stats;      /* process-wide */
    char *pipeline;                   /* after "Pipeline="; NULL: none */
    struct dj_dump_section *sections; /* whatever else stands in it, in its order */
    size_t section_count;
    struct dj_dump_window *windows;
    size_t window_count;
    /* What our own notes say; on Android there are none. */
    uint64_t not_recorded; /* bit n: column n is unknown in at least one row */
    int64_t interval_ns;   /* frame interval; 0: not said */
    bool interval_assumed; /* nobody knew the refresh rate: 60 Hz was taken */
    uint32_t rows_kept;    /* by the ring of each window, of which these may be a part; 0:
                              not said */
    bool ended;            /* the process is no more */
    uint64_t dropped; /* frames that could not be recorded (windows beyond the maximum,
                         races) */
    int64_t recovered, expected; /* of a collection window: frames kept of frames counted;
                                    expected −1: not said */
    struct dj_dump_recount recount;
    char *disabled;  /* why recording stopped; NULL: it did not */
    char *cut_short; /* why the collection ended before its time; NULL: it did not */
};

/* What one version of a package rendered in a day: an entry of graphicsstats. */
struct dj_graphicsstats {
    char *package;
    int64_t version; /* −1 unknown */
    int64_t uid;     /* −1 unknown: told since 15 */
    int64_t start_ms,
        end_ms; /* since 1970 UTC, for all that the text says "ns"; −1 unknown */
    struct dj_stats_block stats; /* its since_ns is of 6 and 7 alone */
};

/* A number of a log line under a name that no release has. */
struct dj_davey_other {
    char *name;
    int64_t value;
};

/* A logcat line "Davey! duration=812ms; Flags=0, …": a janky frame of 0.7 s or more. */
struct dj_davey {
    size_t line; /* in the text, from 1 */
    int64_t pid; /* −1 unknown */
    int64_t duration_ms;
    struct dj_frame frame;
    struct dj_davey_other *others;
    size_t other_count;
};

struct dj_dump {
    int64_t uptime_ms, realtime_ms;   /* −1 unknown */
    struct dj_stamp_bounds plausible; /* of its stamps; zero: not known */
    struct dj_dump_process *processes;
    size_t process_count;
    struct dj_graphicsstats *graphicsstats;
    size_t graphicsstats_count;
    struct dj_davey *daveys;
    size_t davey_count;
    const struct dj_dialect
        *dialect; /* printed in, or inferred from lines and columns; NULL: unknown */
    bool dialect_inferred;
    struct dj_release_evidence evidence;
    char *not_found; /* X of "No process found for: X"; NULL: none */
};

/* Frees everything the dump owns and zeroes it. A zeroed dump is valid and empty. */
void dj_dump_finish(struct dj_dump *dump);

/* Appends a zeroed element and returns it (stamps and counts that mean "unknown" set to
 * −1); NULL: out of memory. Pointers to earlier elements of the same array become
 * invalid. */
struct dj_dump_process *dj_dump_add_process(struct dj_dump *dump);
struct dj_dump_window *dj_dump_add_window(struct dj_dump_process *process);
struct dj_dump_section *dj_dump_add_section(struct dj_dump_process *process);
struct dj_graphicsstats *dj_dump_add_graphicsstats(struct dj_dump *dump);
struct dj_davey *dj_dump_add_davey(struct dj_dump *dump);

/* What a section is about: its first line, without indentation and a colon at its end,
 * cut where it is too long. Returns title. */
enum { DJ_SECTION_TITLE = 64 };
const char *dj_dump_section_title(const struct dj_dump_section *section,
                                  char title[DJ_SECTION_TITLE]);

/* Whether a vendor's column comes next in a row of the window, of which so many columns
 * and so many vendor's columns have already been. */
bool dj_dump_vendor_next(const struct dj_dump_window *window, size_t columns,
                         size_t vendors);

/* The columns a whole row of the window knows: those of its block but the ones its
 * process's notes name as not recorded. Bit n is column n. */
uint64_t dj_dump_required_columns(const struct dj_dump_process *process,
                                  const struct dj_dump_window *window);

/*
 * Sets the dump's `plausible`: up to its uptime and DJ_DUMP_PRINTING_MS, as rows are made
 * while it is printed. If the uptime is unknown, or most rows began later and so are of
 * another clock: DJ_DUMP_DAY_MS around the median of the rows' IntendedVsync (the lower
 * of two). Zero if no row has one. Of many rows a sample decides.
 */
enum {
    DJ_DUMP_PRINTING_MS = 10000, /* dumpsys waits so long for a service */
    DJ_DUMP_DAY_MS = 24 * 3600 * 1000
};
void dj_dump_find_bounds(struct dj_dump *dump);

/* The dialect by which a process (NULL: the dump) is printed and judged: its own, else
 * the dump's, else the default one. */
const struct dj_dialect *dj_dump_dialect(const struct dj_dump *dump,
                                         const struct dj_dump_process *process);

/* How the window's rows are to be judged: by dj_dump_dialect(), and the interval that is
 * told, found in them or assumed. `scratch` holds as many numbers as the window has
 * frames. */
struct dj_summary_rules dj_dump_rules(const struct dj_dump *dump,
                                      const struct dj_dump_process *process,
                                      const struct dj_dump_window *window,
                                      int64_t *scratch);

#endif
