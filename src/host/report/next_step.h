/* What to do next after reading a dump: the situation it is in, and the commands that
 * help. The words are in next_step_text.c: to translate them is to write another table.
 */
#ifndef DEJANK_REPORT_NEXT_STEP_H
#define DEJANK_REPORT_NEXT_STEP_H

#include "base/text.h"
#include "report/standing.h"

enum dj_next_step {
    DJ_NEXT_UNREADABLE,  /* there is no such file, or it could not be read */
    DJ_NEXT_NOT_GFXINFO, /* a text, and no dump in it */
    DJ_NEXT_NO_PROCESS,
    DJ_NEXT_DENIED,
    DJ_NEXT_DUMP_FAILED,
    DJ_NEXT_LOGS_ALONE, /* graphicsstats, or log lines: no process was dumped */
    DJ_NEXT_NO_FRAMES,
    DJ_NEXT_NO_HEADER,      /* rows with unknown columns, and nothing else */
    DJ_NEXT_SIMPLE_ALONE,   /* the simple dump tells no jank */
    DJ_NEXT_EXEMPT,         /* the rule judges none of the rows */
    DJ_NEXT_COUNTERS_ALONE, /* hwui's sums tell that, and not why */
    DJ_NEXT_FEW,            /* too few rows to judge by */
    DJ_NEXT_JANK_ELSEWHERE, /* jank was counted, and is in none of the rows */
    DJ_NEXT_JANKY,
    DJ_NEXT_SMOOTH,
    DJ_NEXT_COUNT
};

/* The situation of a dump; `standing` is of the process that looks worst, NULL where
 * there is none. */
enum dj_next_step dj_next_step_of(const struct dj_parsed *parsed,
                                  const struct dj_standing *standing);

/* Whom the commands are about. */
struct dj_next_subject {
    const char *source;  /* the input's name; the caller's */
    struct dj_text name; /* of the package or process, or a pid; empty: nobody said it */
    bool ours;           /* it ran on a machine like this, not on Android */
};

/* Of a dump's process `process`, where it has processes; else of the package that it
 * names. Finish its name. */
void dj_next_subject_of(const struct dj_parsed *parsed, size_t process,
                        struct dj_next_subject *subject);

/* Appends the commands to type, a line each, each line with `before` in front, quoted for
 * the shell; PACKAGE and FILE where nobody said it. */
void dj_next_step_commands(struct dj_text *text, enum dj_next_step step,
                           const struct dj_next_subject *subject, const char *before);

/* A sentence or two, to be followed by the commands. step < DJ_NEXT_COUNT. */
const char *dj_next_step_text(enum dj_next_step step);

#endif
