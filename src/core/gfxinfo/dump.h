/* gfxinfo: prints and reads the text of `dumpsys gfxinfo`. Printer and reader use the
 * same tables of lines and columns. The module does not produce the numbers (frame and
 * segment do). It is pure: text in, structs out, and back.
 *
 * This header defines a whole dump as a tree. The tree is the same for a dump read
 * from text and for one made from a segment. */
#ifndef DEJANK_GFXINFO_DUMP_H
#define DEJANK_GFXINFO_DUMP_H

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "frame/stats.h"
#include "frame/summary.h"

/* A row of the simple dump ("Profile GPU rendering"), in ms as printed. A missing
 * column is negative: 4.x has no Prepare column, and a row may be truncated. */
struct dj_profile_row {
    float draw_ms, prepare_ms, process_ms, execute_ms;
};

/* A statistics block. In a block that was read, `printed_*` hold the printed values
 * and `lines` says which lines the text had. The printer prints the lines of `lines`
 * that the dialect has. It computes percentiles from the histogram, and repeats the
 * printed ones if there is no histogram. */
struct dj_stats_block {
    bool present;
    struct dj_stats stats;
    uint32_t lines; /* bit n: line n of the table in lines.h was present; ~0 in a block
                       that dejank made */
    uint32_t
        printed_percentile_ms[4]; /* 50, 90, 95, 99; valid only if the line was present */
    uint32_t printed_gpu_percentile_ms[4];
    /* The percentages of "Janky frames" and of its legacy form. NaN if the text has
     * none or says "nan". */
    double printed_janky_pct, printed_legacy_pct;
    /* Buckets that are missing from a histogram line because it was truncated or
     * shortened: bit n % 64 of word n / 64. A block that dejank made misses none. */
    uint64_t missing_frame[DJ_FRAME_BUCKETS / 64 + 1];
    uint64_t missing_gpu[DJ_GPU_BUCKETS / 64 + 1];
};

struct dj_number {
    int64_t value;
    bool known;
};

/* A column that no known release has: added by a vendor, or by a later release. */
struct dj_vendor_column {
    char *name;
    size_t position; /* among all columns of its block, from 0 */
};

/* Text that is neither statistics nor rows: caches, buffers, text of a vendor. */
struct dj_dump_section {
    size_t line; /* line in the text where it begins, from 1; 0: not read from a text */
    char *text;  /* its lines without NUL, each but the last followed by LF */
};

/* Returns whether bucket n is set in a mask of missing buckets. */
static inline bool dj_gfxinfo_bucket_is_missing(const uint64_t *mask, size_t n)
{
    return (mask[n / 64] >> n % 64 & 1) != 0;
}

/* Returns the percentage of a counter of janky frames: the printed one if there is
 * one, else the computed one. Returns NaN if there are no frames. */
double dj_gfxinfo_block_janky_pct(const struct dj_stats_block *block,
                                  enum dj_counter janky);

/* Returns whether the GPU percentiles are real: hwui also prints them if its GPU
 * histogram is empty. A truncated histogram may have had values, so this returns true
 * for one. */
bool dj_gfxinfo_block_has_gpu_times(const struct dj_stats_block *block);

/* One window (view root): its title line and, if present, its rows, statistics and
 * frames. */
struct dj_dump_window {
    char *title; /* "com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6"; NULL: not in the
                    text */
    int visibility;    /* 0 visible, 4 invisible, 8 gone; −1 unknown */
    uint32_t views;    /* in its tree, as "View hierarchy:" counts them; 0: unknown */
    double views_kb;   /* their memory; −1 unknown */
    char *stats_title; /* the text after "Window: "; NULL: none */
    struct dj_stats_block stats;
    bool has_frames; /* the window has a framestats block, possibly an empty one */
    struct dj_column_list columns; /* columns of that block, in its order; empty: those of
                                      the dialect (when printing), or none read */
    bool columns_inferred; /* the block had no header: the columns follow from their
                              number */
    struct dj_frame
        *frames; /* oldest first; a truncated row has the values that could be read */
    size_t frame_count;
    size_t rows_beyond;        /* number of later rows that were counted but not stored */
    size_t rows_unreadable;    /* number of those whose columns nothing names */
    size_t unreadable_columns; /* columns of the first unreadable row; 0: unknown */
    struct dj_vendor_column *vendor; /* in the order of their positions */
    size_t vendor_count;
    struct dj_number
        *vendor_values;         /* vendor_count values per frame, frame after frame */
    bool rows_borrowed;         /* `frames` and `vendor_values` belong to another owner */
    bool has_profile;           /* the simple dump's header was there */
    bool profile_lacks_prepare; /* the simple dump of 4.x: three columns */
    struct dj_profile_row *profile;
    size_t profile_count;
};

/* Evidence for the release that printed a dump. */
enum dj_release_hint {
    DJ_HINT_COLUMNS = 1, /* the columns of its rows */
    DJ_HINT_LINES = 2,   /* the lines of its statistics */
    DJ_HINT_NO_STATS =
        4, /* something was drawn, but there are no statistics: Android 5 */
    DJ_HINT_NEWER =
        8, /* more columns than any known release: the newest release's rule applies */
    DJ_HINT_FINGERPRINT =
        16, /* the build fingerprint of the bug report states the release */
    DJ_HINT_CONTRADICTION = 32 /* … but no such release prints what the dump contains */
};

struct dj_release_evidence {
    uint32_t hints;   /* enum dj_release_hint; 0: no evidence */
    uint32_t fitting; /* bit n: dj_frame_dialect_at(n) prints what the dump contains */
    size_t columns;   /* number of columns, with DJ_HINT_COLUMNS */
};

/* Sums that were recorded by the rule of another release and computed again from the
 * frames that were still in the ring. */
struct dj_dump_recount {
    const struct dj_dialect *from, *to; /* both NULL: the sums were not computed again */
    uint64_t kept, counted;             /* frames */
};

/* One "** Graphics info" section. */
struct dj_dump_process {
    int64_t pid;     /* −1 unknown */
    char *name;      /* NULL unknown */
    bool continues;  /* continues the last process of the previous dump that the reader
                        emitted */
    bool unfinished; /* the first process of the next dump continues this one */
    const struct dj_dialect
        *dialect; /* its own if it has evidence for one, else that of the dump */
    struct dj_stats_block stats;      /* process-wide */
    char *pipeline;                   /* text after "Pipeline="; NULL: none */
    struct dj_dump_section *sections; /* all other text of the process, in its order */
    size_t section_count;
    struct dj_dump_window *windows;
    size_t window_count;
    /* The contents of dejank's own notes. Android prints none. */
    uint64_t not_recorded; /* bit n: column n is unknown in at least one row */
    int64_t interval_ns;   /* frame interval; 0: unknown */
    bool interval_assumed; /* the refresh rate was unknown, so 60 Hz was assumed */
    uint32_t rows_kept; /* rows that the ring of each window held, of which these may be a
                           part; 0: unknown */
    bool ended;         /* the process has ended */
    uint64_t dropped;   /* frames that could not be recorded (too many windows, races) */
    int64_t recovered, expected; /* in a collection window: recovered frames and counted
                                    frames; expected −1: unknown */
    struct dj_dump_recount recount;
    char *disabled;  /* why recording stopped; NULL: it did not stop */
    char *cut_short; /* why the collection ended early; NULL: it did not */
};

/* The frames that one version of a package rendered in a day: an entry of
 * graphicsstats. */
struct dj_graphicsstats {
    char *package;
    int64_t version; /* −1 unknown */
    int64_t uid;     /* −1 unknown: printed since 15 */
    int64_t start_ms,
        end_ms; /* since 1970 UTC, in ms although the text says "ns"; −1 unknown */
    struct dj_stats_block stats; /* since_ns is set only by 6 and 7 */
};

/* A number in a log line with a name that no release has. */
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
    int64_t uptime_ms, realtime_ms; /* −1 unknown */
    struct dj_stamp_bounds
        plausible; /* plausible range of its timestamps; zero: unknown */
    struct dj_dump_process *processes;
    size_t process_count;
    struct dj_graphicsstats *graphicsstats;
    size_t graphicsstats_count;
    struct dj_davey *daveys;
    size_t davey_count;
    const struct dj_dialect *dialect; /* the release that printed it, or the one inferred
                                         from lines and columns; NULL: unknown */
    bool dialect_inferred;
    struct dj_release_evidence evidence;
    char *not_found; /* X of "No process found for: X"; NULL: none */
};

/* Frees everything the dump owns and zeroes it. A zeroed dump is valid and empty. */
void dj_gfxinfo_dump_finish(struct dj_dump *dump);

/* Each appends a zeroed element and returns it, with timestamps and counts whose
 * unknown value is −1 set to −1. Returns NULL without memory. Pointers to earlier
 * elements of the same array become invalid. */
struct dj_dump_process *dj_gfxinfo_dump_add_process(struct dj_dump *dump);
struct dj_dump_window *dj_gfxinfo_dump_add_window(struct dj_dump_process *process);
struct dj_dump_section *dj_gfxinfo_dump_add_section(struct dj_dump_process *process);
struct dj_graphicsstats *dj_gfxinfo_dump_add_graphicsstats(struct dj_dump *dump);
struct dj_davey *dj_gfxinfo_dump_add_davey(struct dj_dump *dump);

/* Writes a title for a section into `title` and returns it: its first line without
 * indentation and without a final colon, shortened to fit. */
enum { DJ_SECTION_TITLE = 64 };
const char *dj_gfxinfo_dump_section_title(const struct dj_dump_section *section,
                                          char title[DJ_SECTION_TITLE]);

/* Returns whether a vendor column comes next in a row of the window after `columns`
 * known columns and `vendors` vendor columns. */
bool dj_gfxinfo_dump_vendor_next(const struct dj_dump_window *window, size_t columns,
                                 size_t vendors);

/* Returns the columns that a complete row of the window has values for: the columns of
 * its block except those that the process's notes name as not recorded. Bit n is
 * column n. */
uint64_t dj_gfxinfo_dump_required_columns(const struct dj_dump_process *process,
                                          const struct dj_dump_window *window);

/* Sets dump->plausible. The upper bound is the dump's uptime plus DJ_DUMP_PRINTING_MS,
 * because frames are still rendered during printing. If the uptime is unknown, or if
 * most rows began later and so use another clock, the range is DJ_DUMP_DAY_MS around
 * the (lower) median IntendedVsync of the rows. The range is zero if no row has a
 * timestamp. Large dumps are sampled. */
enum {
    DJ_DUMP_PRINTING_MS = 10000, /* dumpsys waits this long for a service */
    DJ_DUMP_DAY_MS = 24 * 3600 * 1000
};
void dj_gfxinfo_dump_find_bounds(struct dj_dump *dump);

/* Returns the dialect for printing and judging a process: its own, else the dump's,
 * else the default. NULL means the dump itself. */
const struct dj_dialect *dj_gfxinfo_dump_dialect(const struct dj_dump *dump,
                                                 const struct dj_dump_process *process);

/* Returns the rules for judging the rows of the window: the dialect of
 * dj_gfxinfo_dump_dialect(), and the frame interval that the dump states, that the rows
 * imply, or the assumed one. `scratch` has space for one number per frame of the window.
 */
struct dj_summary_rules dj_gfxinfo_dump_rules(const struct dj_dump *dump,
                                              const struct dj_dump_process *process,
                                              const struct dj_dump_window *window,
                                              int64_t *scratch);

#endif
