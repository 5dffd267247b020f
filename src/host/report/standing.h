/* How a process or a window fares, from what a dump has of it: the one judgement behind
 * the verdict and the next step. Missing data is a grade of its own, and never smooth. */
#ifndef DEJANK_REPORT_STANDING_H
#define DEJANK_REPORT_STANDING_H

#include "report/view.h"

enum dj_grade {
    DJ_GRADE_NO_FRAMES, /* nothing was drawn, or nothing of use is here */
    DJ_GRADE_UNJUDGED, /* frames, and nothing that tells jank: the simple dump alone, rows
                          that the rule exempts, counters without the janky ones */
    DJ_GRADE_FEW,      /* fewer than DJ_FEW_FRAMES: a hint */
    DJ_GRADE_SMOOTH,   /* at most DJ_SMOOTH_PCT of them janky: the guide's "98 %" */
    DJ_GRADE_UNEVEN,   /* at most DJ_UNEVEN_PCT: the guide's "90 %" */
    DJ_GRADE_JANKY,
    DJ_GRADE_COUNT
};

enum { DJ_FEW_FRAMES = 30, DJ_SMOOTH_PCT = 2, DJ_UNEVEN_PCT = 10 };

/* Frames, and the janky ones of them. */
struct dj_sample {
    uint64_t frames, janky;
};

struct dj_standing {
    enum dj_grade grade;     /* the worse one of the two samples */
    struct dj_sample counts; /* as hwui counted, of the largest block; frames 0: none */
    double counts_pct;       /* their share as the dump prints it */
    bool counts_of_process;  /* … and the rows are of one of its windows */
    struct dj_sample rows;   /* usable rows of all windows, by the release's rule, without
                                those it exempts */
    bool unjudged;           /* some frames are, for whatever reason */
    size_t exempt;           /* rows that it never calls janky: see dj_row_is_exempt() */
    size_t rows_read;        /* of whatever use */
    size_t rows_unreadable;  /* nothing names their columns */
    size_t simple_rows;      /* of the simple dump */
    size_t simple_over;      /* of those: longer in all than the frame interval */
    size_t window; /* the one with the most rows judged or exempt; only where there are */
};

/* Whether the release's rule has an answer for a row and would never call it janky: by
 * its flags (one that was drawn into a Surface's canvas), or because it judges none (5).
 * Such rows are counted as frames, and tell nothing of smoothness. */
bool dj_row_is_exempt(const struct dj_dialect *dialect, const struct dj_frame *frame);

/* Rows of a process's window that are usable, judged and exempt. */
size_t dj_exempt_rows(const struct dj_parsed *parsed, size_t process, size_t window);

/* Whether a block's count of janky frames is whole: of a line that was cut it may lack
 * digits. */
bool dj_stats_tell_jank(const struct dj_stats_block *block);

/* Of process `index` of the dump. */
struct dj_standing dj_standing_of(const struct dj_parsed *parsed, size_t index);

/* Of what a view shows: one window, by the counters beside it. */
struct dj_standing dj_standing_of_view(const struct dj_view *view);

/* By itself; DJ_GRADE_NO_FRAMES where it has none. */
enum dj_grade dj_grade_of(const struct dj_sample *sample);

/* The share of janky frames; frames > 0. */
double dj_sample_pct(const struct dj_sample *sample);

/* True where b is what one should look at rather than a: a worse grade, then a larger
 * share, then more frames. */
bool dj_standing_is_worse(const struct dj_standing *b, const struct dj_standing *a);

/* Frames and janky ones of an entry; no frames where it does not tell the latter. */
struct dj_sample dj_graphicsstats_sample(const struct dj_graphicsstats *entry);

/* The entry of graphicsstats that looks worst: of those with DJ_FEW_FRAMES and more the
 * largest share of janky frames. graphicsstats_count where there is none. */
size_t dj_graphicsstats_worst(const struct dj_dump *dump);

/* "JANKY". */
const char *dj_grade_text(enum dj_grade grade);

/* Appends ": 13 of 120 counted frames janky (10.83 %), 13 of 120 rows (10.83 %)": the
 * samples that the grade is of, or why there are none. */
void dj_standing_describe(struct dj_text *text, const struct dj_standing *standing);

#endif
