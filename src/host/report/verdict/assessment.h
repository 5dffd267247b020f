/* The grade of a process or a window from the data of a dump: verdict and next step both
 * follow from it. Missing data has a grade of its own and never counts as smooth. */
#ifndef DEJANK_REPORT_VERDICT_ASSESSMENT_H
#define DEJANK_REPORT_VERDICT_ASSESSMENT_H

#include "report/view/view.h"

enum dj_grade {
    DJ_GRADE_NO_FRAMES, /* Nothing was drawn, or no data is usable. */
    /* Frames, but no data about jank: only the simple dump, rows that the rule exempts,
     * or counters without the janky ones. */
    DJ_GRADE_UNJUDGED,
    DJ_GRADE_FEW,    /* Fewer than DJ_FEW_FRAMES: only a hint. */
    DJ_GRADE_SMOOTH, /* At most DJ_SMOOTH_PCT of them janky: the guide's "98 %". */
    DJ_GRADE_UNEVEN, /* At most DJ_UNEVEN_PCT: the guide's "90 %". */
    DJ_GRADE_JANKY,
    DJ_GRADE_COUNT
};

enum { DJ_FEW_FRAMES = 30, DJ_SMOOTH_PCT = 2, DJ_UNEVEN_PCT = 10 };

/* The number of frames, and how many of them are janky. */
struct dj_jank_sample {
    uint64_t frames, janky;
};

struct dj_assessment {
    enum dj_grade grade; /* The worse grade of the two samples. */
    /* As hwui counted, of the largest block; frames 0: none. */
    struct dj_jank_sample counts;
    double counts_pct; /* Their share as the dump prints it. */
    /* The counts are those of the process, but the rows are of one of its windows. */
    bool counts_of_process;
    /* Usable rows of all windows, by the release's rule, without those it exempts. */
    struct dj_jank_sample rows;
    bool has_unjudged;      /* Some frames were not judged, for any reason. */
    size_t exempt;          /* Rows that the rule never calls janky: see
                               dj_assessment_row_is_exempt(). */
    size_t rows_read;       /* All rows, usable or not. */
    size_t rows_unreadable; /* Rows without column names. */
    size_t simple_rows;     /* Rows of the simple dump. */
    /* Rows of the simple per-stage dump with a sum of stages above the frame interval. */
    size_t simple_over;
    /* Index of the window with the most rows judged or exempt; valid if there are such
     * rows. */
    size_t window;
};

/* Whether the release's rule has an answer for a row and would never call it janky:
 * because of its flags (a row drawn into a Surface's canvas), or because it judges no row
 * (release 5). Such rows count as frames, and show nothing about smoothness. */
bool dj_assessment_row_is_exempt(const struct dj_dialect *dialect,
                                 const struct dj_frame *frame);

/* Number of rows of a process's window that are usable, judged and exempt. */
size_t dj_assessment_count_exempt_rows(const struct dj_parsed *parsed, size_t process,
                                       size_t window);

/* Whether a block's count of janky frames is complete: a truncated line may lack digits.
 */
bool dj_assessment_has_jank_count(const struct dj_stats_block *block);

/* Grades process `index` of the dump. */
struct dj_assessment dj_assessment_compute(const struct dj_parsed *parsed, size_t index);

/* Grades what a view shows: one window, with the counters of the window or of its
 * process. */
struct dj_assessment dj_assessment_compute_view(const struct dj_view *view);

/* The grade of one sample; DJ_GRADE_NO_FRAMES if it has no frames. */
enum dj_grade dj_assessment_grade_sample(const struct dj_jank_sample *sample);

/* The share of janky frames in percent; frames > 0. */
double dj_assessment_compute_percent(const struct dj_jank_sample *sample);

/* Whether b is worse than a: a worse grade, then a larger share, then more frames. */
bool dj_assessment_is_worse(const struct dj_assessment *b, const struct dj_assessment *a);

/* Frames and janky frames of an entry; no frames if the count of janky frames is
 * incomplete. */
struct dj_jank_sample
dj_assessment_read_graphicsstats(const struct dj_graphicsstats *entry);

/* Index of the worst entry of graphicsstats: the largest share of janky frames among
 * those with at least DJ_FEW_FRAMES. graphicsstats_count if there is none. */
size_t dj_assessment_find_worst_package(const struct dj_dump *dump);

/* "JANKY". */
const char *dj_assessment_get_grade_text(enum dj_grade grade);

/* Appends "13 of 120 frames janky (10.83 %)": the sample that decides the grade, or why
 * there is none. */
void dj_assessment_describe(struct dj_text *text, const struct dj_assessment *assessment);

/* Appends a sentence about the other sample: "The dump has rows for 120 frames, 13 of
 * them janky (10.83 %)." Appends nothing if there is only one sample. */
void dj_assessment_describe_rest(struct dj_text *text,
                                 const struct dj_assessment *assessment);

/* The meaning of a grade's word, with its limits, in one line. */
const char *dj_assessment_explain(enum dj_grade grade);

#endif
