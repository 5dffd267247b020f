/* Grades a process or a window by the data of a dump. The verdict and the next step both
 * follow from the grade. Missing data has a separate grade and never counts as smooth. */
#ifndef DEJANK_REPORT_VERDICT_ASSESSMENT_H
#define DEJANK_REPORT_VERDICT_ASSESSMENT_H

#include "report/view/view.h"

enum dj_grade {
    DJ_GRADE_NO_FRAMES, /* Nothing was drawn, or no data is usable. */
    /* Frames were drawn, but there is no data about jank. There is only the simple dump,
     * or rows that the rule exempts, or counters without the counter of janky frames. */
    DJ_GRADE_UNJUDGED,
    /* Fewer than DJ_FEW_FRAMES frames, which are too few for a verdict. */
    DJ_GRADE_FEW,
    /* At most DJ_SMOOTH_PCT of the frames are janky. The limit comes from the guide's "98
     * %". */
    DJ_GRADE_SMOOTH,
    /* At most DJ_UNEVEN_PCT of the frames are janky. The limit comes from the guide's "90
     * %". */
    DJ_GRADE_UNEVEN,
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
    /* The counters of hwui in the largest statistics block. Has no frames if there is no
     * block. */
    struct dj_jank_sample counts;
    double counts_pct; /* The share of janky frames in `counts`, as the dump prints it. */
    /* True if the counts are those of the process, but the rows are those of one of its
     * windows. */
    bool counts_of_process;
    /* The usable rows of all windows, judged by the release's rule, without the rows that
     * the rule exempts. */
    struct dj_jank_sample rows;
    bool has_unjudged;      /* Some frames were not judged, for any reason. */
    size_t exempt;          /* Rows that the rule never calls janky: see
                               dj_assessment_row_is_exempt(). */
    size_t presents;        /* Number of rows with no known time except the present. */
    size_t rows_read;       /* Number of all rows, usable or not. */
    size_t rows_unreadable; /* Rows without column names. */
    size_t simple_rows;     /* Number of rows of the simple dump. */
    /* Rows of the simple per-stage dump with a sum of stages above the frame interval. */
    size_t simple_over;
    /* Index of the window with the most rows that are judged or exempt. Only valid if
     * there are judged or exempt rows. */
    size_t window;
};

/* Returns whether the release's rule would never call the row janky. The reason is the
 * row's flags (a row drawn into a Surface's canvas), or that the rule judges no rows
 * (release 5). These rows count as frames, but show nothing about smoothness. */
bool dj_assessment_row_is_exempt(const struct dj_dialect *dialect,
                                 const struct dj_frame *frame);

/* Returns the number of rows of a process's window that are usable, judged and exempt. */
size_t dj_assessment_count_exempt_rows(const struct dj_parsed *parsed, size_t process,
                                       size_t window);

/* Returns whether a block's count of janky frames is complete. A truncated line can lack
 * digits. */
bool dj_assessment_has_jank_count(const struct dj_stats_block *block);

/* Grades process `index` of the dump. */
struct dj_assessment dj_assessment_compute(const struct dj_parsed *parsed, size_t index);

/* Grades the content of a view: one window, with the counters of the window or of its
 * process. */
struct dj_assessment dj_assessment_compute_view(const struct dj_view *view);

/* Returns the grade of one sample, or DJ_GRADE_NO_FRAMES if the sample has no frames. */
enum dj_grade dj_assessment_grade_sample(const struct dj_jank_sample *sample);

/* Returns the share of janky frames in percent. The sample must have frames. */
double dj_assessment_compute_percent(const struct dj_jank_sample *sample);

/* Returns whether b is worse than a. Compares the grades, then the shares of janky
 * frames, then the numbers of frames. */
bool dj_assessment_is_worse(const struct dj_assessment *b, const struct dj_assessment *a);

/* Returns the frames and janky frames of an entry. The sample has no frames if the count
 * of janky frames is incomplete. */
struct dj_jank_sample
dj_assessment_read_graphicsstats(const struct dj_graphicsstats *entry);

/* Returns the index of the worst entry of graphicsstats. It has the largest share of
 * janky frames among the entries with at least DJ_FEW_FRAMES frames. Returns
 * graphicsstats_count if there is no such entry. */
size_t dj_assessment_find_worst_package(const struct dj_dump *dump);

/* Returns the word for a grade, such as "JANKY". */
const char *dj_assessment_get_grade_text(enum dj_grade grade);

/* Appends the sample that decides the grade, "13 of 120 frames janky (10.83 %)", or the
 * reason why no sample does. */
void dj_assessment_describe(struct dj_text *text, const struct dj_assessment *assessment);

/* Appends a description of the sample that was graded, and the other sample: "This is
 * hwui's count of all frames. Of the 120 frames with rows, 13 are janky (10.83 %)."
 * Appends nothing if there is only one sample. */
void dj_assessment_describe_rest(struct dj_text *text,
                                 const struct dj_assessment *assessment);

/* Returns the meaning of a grade's word, with its limits, in one line. */
const char *dj_assessment_explain(enum dj_grade grade);

#endif
