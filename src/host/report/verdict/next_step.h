/* Recommends the next step after a dump was read. The sentences are in
 * next_step_text.c, so a translation needs only another table. */
#ifndef DEJANK_REPORT_VERDICT_NEXT_STEP_H
#define DEJANK_REPORT_VERDICT_NEXT_STEP_H

#include "base/text.h"
#include "report/document.h"
#include "report/verdict/assessment.h"

enum dj_next_step {
    DJ_NEXT_UNREADABLE,  /* The file does not exist, or could not be read. */
    DJ_NEXT_NOT_GFXINFO, /* The input is a text without a dump. */
    DJ_NEXT_NO_PROCESS,
    DJ_NEXT_DENIED,
    DJ_NEXT_DUMP_FAILED,
    /* The input has only graphicsstats or log lines, but no process. */
    DJ_NEXT_ONLY_LOGS,
    /* The input has only layers of SurfaceFlinger, with or without frames. */
    DJ_NEXT_ONLY_LAYERS,
    DJ_NEXT_LAYERS_WITHOUT_FRAMES,
    DJ_NEXT_NO_FRAMES,
    DJ_NEXT_NO_HEADER,    /* Only rows with unknown columns. */
    DJ_NEXT_ONLY_SIMPLE,  /* Only the simple dump, which does not report jank. */
    DJ_NEXT_EXEMPT,       /* The rule judges none of the rows. */
    DJ_NEXT_PRESENT_ONLY, /* Only the presents of the frames are known. */
    /* Only the presents of the frames are known, and the dump is from an Android
     * device. */
    DJ_NEXT_SURFACE,
    DJ_NEXT_ONLY_COUNTERS,    /* Only hwui's sums: they show jank, but not its cause. */
    DJ_NEXT_FEW,              /* There are too few rows for a verdict. */
    DJ_NEXT_JANK_NOT_IN_ROWS, /* Jank was counted, but none of the rows is janky. */
    DJ_NEXT_JANKY,
    DJ_NEXT_SMOOTH,
    DJ_NEXT_COUNT
};

/* Returns the situation of a dump. `assessment` describes its worst process, or is NULL
 * if the dump has no process. */
enum dj_next_step dj_next_step_find(const struct dj_parsed *parsed,
                                    const struct dj_assessment *assessment);

/* The app and the file that the commands name. */
struct dj_next_subject {
    const char *source;  /* The name of the input. The caller owns the string. */
    struct dj_text name; /* Name of the package or process, or a pid. Empty if unknown. */
    /* The app ran on a Linux machine with dejank's recorder, not on Android. */
    bool is_linux;
};

/* Describes process `process` of a dump, or the package that the dump names if there is
 * no such process. The caller finishes subject->name. */
void dj_next_step_find_subject(const struct dj_parsed *parsed, size_t process,
                               struct dj_next_subject *subject);

/* Adds what the user can do, and the commands for it, quoted for the shell. Unknown names
 * become PACKAGE and FILE. */
void dj_next_step_add(struct dj_document *document, enum dj_next_step step,
                      const struct dj_next_subject *subject);

/* Returns the one or two sentences that come before the commands. `step` must be less
 * than DJ_NEXT_COUNT. */
const char *dj_next_step_get_text(enum dj_next_step step);

#endif
