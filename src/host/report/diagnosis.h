/* What this machine lacks, and what the recorder would see of a program: for people and
 * for scripts. */
#ifndef DEJANK_REPORT_DIAGNOSIS_H
#define DEJANK_REPORT_DIAGNOSIS_H

#include <limits.h>

#include "base/text.h"
#include "device/recorder_sources.h"

enum { DJ_CHECKS = 6 };

struct dj_check {
    const char *name;
    bool fine;
    char found[PATH_MAX + 128]; /* the value that was found, or the problem */
    const char *remedy;         /* the command that solves the problem; NULL: none */
};

struct dj_diagnosis {
    struct dj_check check[DJ_CHECKS];
    const char *command; /* NULL: only the machine was asked about */
    char path[PATH_MAX];
    char interpreter[PATH_MAX]; /* "": it is no script */
    const char *obstacle;       /* NULL: none */
    struct dj_recorder_source source[DJ_SOURCES];
};

/*
 * Fills *diagnosis but for `command`, which the caller sets. `hooks_object`: the path of
 * the recorder's object; if it was not found, the reason. An error concerns the program.
 */
int dj_report_diagnose(bool recorder_found, const char *hooks_object,
                       struct dj_diagnosis *diagnosis, struct dj_error *err);

void dj_report_diagnosis_text(struct dj_text *text, const struct dj_diagnosis *diagnosis);

/* Schema dejank.doctor/1. */
void dj_report_diagnosis_json(struct dj_text *text, const struct dj_diagnosis *diagnosis);

#endif
