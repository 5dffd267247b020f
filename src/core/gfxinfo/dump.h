/* Module gfxinfo: prints and reads the text of `dumpsys gfxinfo`. The printer and the
 * reader use the same tables of lines and columns. The modules frame and segment compute
 * the numbers. All functions are pure: they convert text to structs and structs to text.
 *
 * This header defines a whole dump as a tree: a dump has processes, a process has
 * windows, and a window has rows. The tree is the same for a dump that was read from
 * text and for one that was made from a segment. */
#ifndef DEJANK_GFXINFO_DUMP_H
#define DEJANK_GFXINFO_DUMP_H

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "frame/stats.h"
#include "frame/summary.h"
#include "gfxinfo/surface.h"

/* A row of the simple dump ("Profile GPU rendering"), in ms as printed. A value is
 * negative if it is missing: Android 4 has no Prepare column, and a row may be
 * truncated. */
struct dj_profile_row {
    float draw_ms, prepare_ms, process_ms, execute_ms;
};

/* A statistics block. The printer prints the lines that are both in `lines` and in the
 * dialect. The printer computes percentiles from the histogram. If there is no histogram,
 * the printer prints the values in the printed_ members, in which the reader has stored
 * the values of the text. */
struct dj_stats_block {
    bool present;
    struct dj_stats stats;
    /* Bit mask of the lines that the text contained: bit n is line n of the table in
     * lines.h. All bits are set in a block that was not read from text. */
    uint32_t lines;
    /* 50th, 90th, 95th and 99th percentile. Valid only if the text contained their
     * lines. */
    uint32_t printed_percentile_ms[4];
    uint32_t printed_gpu_percentile_ms[4];
    /* Percentages of "Janky frames:" and "Janky frames (legacy):". NaN if the text has
     * no percentage or "nan". */
    double printed_janky_pct, printed_legacy_pct;
    /* Bit masks of the buckets that a truncated or shortened histogram line lacks.
     * Bucket n is bit n % 64 of element n / 64. All bits are 0 in a block that was not
     * read from text. */
    uint64_t missing_frame[DJ_FRAME_BUCKETS / 64 + 1];
    uint64_t missing_gpu[DJ_GPU_BUCKETS / 64 + 1];
};

struct dj_number {
    int64_t value;
    bool known;
};

/* A column that no known release has. A vendor or a later release added it. */
struct dj_vendor_column {
    char *name;
    size_t position; /* Position among all columns of its block, from 0. */
};

/* Text of a process that the reader does not interpret, such as caches, buffers, and
 * text of vendors. */
struct dj_dump_section {
    /* Number of the first line in the text, from 1, or 0 if not read from text. */
    size_t line;
    char *text; /* Lines without NUL, separated by LF. */
};

/* Returns whether bucket n is set in a mask of missing buckets. */
static inline bool dj_gfxinfo_bucket_is_missing(const uint64_t *mask, size_t n)
{
    return (mask[n / 64] >> n % 64 & 1) != 0;
}

/* Returns the percentage of janky frames: the printed one if there is one, otherwise the
 * computed one. Returns NaN if there are no frames. */
double dj_gfxinfo_block_janky_pct(const struct dj_stats_block *block,
                                  enum dj_counter janky);

/* Returns whether the block has GPU times. Without GPU times hwui still prints GPU
 * percentiles, which mean nothing. Returns true for a truncated GPU histogram, because
 * the missing part may have had values. */
bool dj_gfxinfo_block_has_gpu_times(const struct dj_stats_block *block);

/* One window of a process, with its title, and with its statistics and frames if the text
 * contains them. Android's name for a window in this text is ViewRootImpl. */
struct dj_dump_window {
    /* Title of the window, for example
     * "com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6", or NULL if the text has no
     * title. */
    char *title;
    /* Visibility of the window: 0 visible, 4 invisible, 8 gone, −1 unknown. */
    int visibility;
    /* Number of views, as "View hierarchy:" prints it, or 0 if unknown. */
    uint32_t views;
    double views_kb;   /* Memory of the views in kB, or −1 if unknown. */
    char *stats_title; /* Text after "Window: ", or NULL if there is no such line. */
    struct dj_stats_block stats;
    bool has_frames; /* Whether the window has a framestats block, even an empty one. */
    /* Columns of the framestats block in their order. The list is empty if the reader has
     * found no columns. The printer then uses the columns of the dialect. */
    struct dj_column_list columns;
    /* Whether the block had no header, so that the reader inferred the columns from their
     * number. */
    bool columns_inferred;
    /* Oldest frame first. A truncated row has the values that could be read. */
    struct dj_frame *frames;
    size_t frame_count;
    /* Number of rows that are counted but not stored, because the maximum was reached or
     * because they are unreadable. */
    size_t rows_beyond;
    /* Number of rows that are unreadable because their columns are unknown. rows_beyond
     * includes these rows. */
    size_t rows_unreadable;
    /* Number of columns of the first unreadable row, or 0 if unknown. */
    size_t unreadable_columns;
    /* Columns of vendors, in the order of their positions. */
    struct dj_vendor_column *vendor;
    size_t vendor_count;
    /* Values of the vendor columns: vendor_count values for the first frame, then those
     * for the next frame, and so on. */
    struct dj_number *vendor_values;
    bool rows_borrowed; /* Whether another owner frees `frames` and `vendor_values`. */
    bool has_profile;   /* Whether the text has the header of the simple dump. */
    /* Whether the simple dump is that of Android 4, with three columns. */
    bool profile_lacks_prepare;
    struct dj_profile_row *profile;
    size_t profile_count;
};

/* Bits that state which property of a dump its release was inferred from. */
enum dj_release_hint {
    DJ_HINT_COLUMNS = 1, /* The columns of the dump's rows. */
    DJ_HINT_LINES = 2,   /* The lines of its statistics. */
    /* The process has drawn, but there are no statistics: Android 5. */
    DJ_HINT_NO_STATS = 4,
    /* The dump has more columns than any known release, so the newest release is used. */
    DJ_HINT_NEWER = 8,
    /* The build fingerprint of the bug report. */
    DJ_HINT_FINGERPRINT = 16,
    /* The build fingerprint names a release that cannot have printed the dump. */
    DJ_HINT_CONTRADICTION = 32
};

struct dj_release_evidence {
    uint32_t hints; /* Bit mask of enum dj_release_hint, or 0 if nothing was found. */
    /* Bit mask of the possible releases: bit n is dj_frame_dialect_at(n). */
    uint32_t fitting;
    size_t columns; /* Number of columns if DJ_HINT_COLUMNS is set. */
};

/* States that statistics were recorded by the rule of the release `from`, and then
 * computed again by the rule of the release `to`. Only the frames that were still in the
 * ring buffer could be counted again. */
struct dj_dump_recount {
    /* The release by which the frames were counted first, and the release by which
     * they were counted again. Both are NULL if the statistics were not computed
     * again. */
    const struct dj_dialect *from, *to;
    uint64_t kept, counted; /* Number of frames in the ring buffer, and of all frames. */
};

/* The output for one process, from "** Graphics info for pid …" on. */
struct dj_dump_process {
    int64_t pid; /* Process id, or −1 if unknown. */
    char *name;  /* Process name, or NULL if unknown. */
    /* Whether this is the rest of the last process of the previous dump. The reader
     * splits large processes. */
    bool continues;
    /* Whether the first process of the next dump is the rest of this one. */
    bool unfinished;
    /* Dialect of this process if one could be inferred, otherwise the dialect of the
     * dump. */
    const struct dj_dialect *dialect;
    struct dj_stats_block stats; /* Statistics of the whole process. */
    char *pipeline; /* Text after "Pipeline=", or NULL if there is no such line. */
    /* All other text of the process, in the order of the text. */
    struct dj_dump_section *sections;
    size_t section_count;
    struct dj_dump_window *windows;
    size_t window_count;
    /* The following fields are the contents of dejank's own notes, which Android does
     * not print. */
    /* Bit mask of the columns that are unknown in at least one row: bit n is column n. */
    uint64_t not_recorded;
    int64_t interval_ns; /* Frame interval in ns, or 0 if unknown. */
    /* Whether the refresh rate was unknown, so that 60 Hz was assumed. */
    bool interval_assumed;
    /* Number of rows that the ring buffer of each window contained, or 0 if unknown. The
     * dump may contain fewer. */
    uint32_t rows_kept;
    bool ended; /* Whether the process has ended. */
    /* Number of frames that could not be recorded because of too many windows or a
     * race. */
    uint64_t dropped;
    /* Number of frames with a row, and number of all frames, in a measurement window.
     * `expected` is −1 if they are unknown. */
    int64_t recovered, expected;
    struct dj_dump_recount recount;
    char *disabled;  /* Reason why recording stopped, or NULL if it did not stop. */
    char *cut_short; /* Reason why the measurement ended early, or NULL if it did not. */
};

/* An entry of graphicsstats: the frames that one version of a package rendered in one
 * day. */
struct dj_graphicsstats {
    char *package;
    int64_t version; /* Version code of the package, or −1 if unknown. */
    int64_t uid; /* User id of the app, or −1 if unknown. Printed since Android 15. */
    /* Milliseconds since 1970 UTC, or −1 if unknown. The text says "ns", but the numbers
     * are ms. */
    int64_t start_ms, end_ms;
    struct dj_stats_block stats; /* Statistics. Only Android 6 and 7 set since_ns. */
};

/* A number in a Davey line with a name that no known release has. */
struct dj_davey_other {
    char *name;
    int64_t value;
};

/* A logcat line such as "Davey! duration=812ms; Flags=0, …", which hwui prints for a
 * janky frame of 0.7 s or more. */
struct dj_davey {
    size_t line; /* Number of the line in the text, from 1. */
    int64_t pid; /* Process id, or −1 if unknown. */
    int64_t duration_ms;
    struct dj_frame frame;
    struct dj_davey_other *others;
    size_t other_count;
};

struct dj_dump {
    /* Milliseconds since the device started, without and with sleep, or −1 if unknown. */
    int64_t uptime_ms, realtime_ms;
    /* Plausible range of the dump's timestamps, or zero if unknown. */
    struct dj_stamp_bounds plausible;
    struct dj_dump_process *processes;
    size_t process_count;
    struct dj_graphicsstats *graphicsstats;
    size_t graphicsstats_count;
    struct dj_davey *daveys;
    size_t davey_count;
    struct dj_surfaces surfaces; /* Layers of SurfaceFlinger. */
    /* Release that printed the dump, given or inferred from lines and columns, or NULL
     * if unknown. */
    const struct dj_dialect *dialect;
    bool dialect_inferred;
    struct dj_release_evidence evidence;
    /* Name X in "No process found for: X", or NULL if there is no such line. */
    char *not_found;
};

/* Pipeline of a process whose rows were collected from SurfaceFlinger. Only the presents
 * of its frames are known. The number of frames that were not shown is unknown. */
#define DJ_PIPELINE_SURFACE_FLINGER "SurfaceFlinger"

/* Returns whether the rows of the process were collected from SurfaceFlinger. */
static inline bool dj_gfxinfo_is_of_surface(const struct dj_dump_process *process)
{
    return process->pipeline != NULL &&
           strcmp(process->pipeline, DJ_PIPELINE_SURFACE_FLINGER) == 0;
}

/* Frees everything that the dump owns and zeroes the struct. A zeroed dump is valid and
 * empty. */
void dj_gfxinfo_dump_finish(struct dj_dump *dump);

/* Append a zeroed element and return it. Numbers that are −1 if unknown are set to −1.
 * Return NULL if there is not enough memory. Pointers to other elements of the same
 * array become invalid. */
struct dj_dump_process *dj_gfxinfo_dump_add_process(struct dj_dump *dump);
struct dj_dump_window *dj_gfxinfo_dump_add_window(struct dj_dump_process *process);
struct dj_dump_section *dj_gfxinfo_dump_add_section(struct dj_dump_process *process);
struct dj_graphicsstats *dj_gfxinfo_dump_add_graphicsstats(struct dj_dump *dump);
struct dj_davey *dj_gfxinfo_dump_add_davey(struct dj_dump *dump);

/* Writes a title for a section to `title` and returns `title`. The title is the first
 * line without indentation and final colon, shortened to fit. */
enum { DJ_SECTION_TITLE = 64 };
const char *dj_gfxinfo_dump_section_title(const struct dj_dump_section *section,
                                          char title[DJ_SECTION_TITLE]);

/* Returns whether the next column in a row is a vendor column. The columns before it are
 * `columns` known columns and `vendors` vendor columns. */
bool dj_gfxinfo_dump_vendor_next(const struct dj_dump_window *window, size_t columns,
                                 size_t vendors);

/* Returns the columns that a complete row of the window has: the columns of its block
 * except those that the process's notes name as not recorded. Bit n is column n. */
uint64_t dj_gfxinfo_dump_required_columns(const struct dj_dump_process *process,
                                          const struct dj_dump_window *window);

/* Returns the title of the window, or else the title of its statistics, or else "". */
const char *dj_gfxinfo_dump_window_title(const struct dj_dump_window *window);

/* Returns the number of windows before `index` that have the same title as the window at
 * `index`. */
size_t dj_gfxinfo_dump_window_ordinal(const struct dj_dump_process *process,
                                      size_t index);

/* Sets dump->plausible.
 *
 * The latest plausible timestamp is DJ_DUMP_PRINTING_MS after the dump's uptime, because
 * frames are still rendered during printing. If the uptime is unknown, or if most rows
 * are later and therefore use another clock, the range is DJ_DUMP_DAY_MS before and after
 * the lower median of IntendedVsync. The range is zero if no row has a timestamp. In
 * large dumps only a sample of the rows is used. */
enum {
    DJ_DUMP_PRINTING_MS = 10000, /* Time that dumpsys waits for a service. */
    DJ_DUMP_DAY_MS = 24 * 3600 * 1000
};
void dj_gfxinfo_dump_find_bounds(struct dj_dump *dump);

/* Returns the dialect for printing and judging a process. This is the dialect of the
 * process if it is set, otherwise the dialect of the dump if it is set, otherwise the
 * default. `process` may be NULL. */
const struct dj_dialect *dj_gfxinfo_dump_dialect(const struct dj_dump *dump,
                                                 const struct dj_dump_process *process);

/* Returns the rules for judging the rows of the window. The dialect is that of
 * dj_gfxinfo_dump_dialect(). The frame interval is the one in the dump's notes,
 * otherwise the one in the rows, otherwise 60 Hz. `scratch` must have space for one
 * number per frame. */
struct dj_summary_rules dj_gfxinfo_dump_rules(const struct dj_dump *dump,
                                              const struct dj_dump_process *process,
                                              const struct dj_dump_window *window,
                                              int64_t *scratch);

#endif
