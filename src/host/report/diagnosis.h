/* Reports what this machine lacks, and what the recorder would see of a program, as a
 * document and as JSON. */
#ifndef DEJANK_REPORT_DIAGNOSIS_H
#define DEJANK_REPORT_DIAGNOSIS_H

#include <limits.h>

#include "base/text.h"
#include "device/recorder_sources.h"
#include "report/document.h"

enum { DJ_CHECKS = 7 };

struct dj_check {
    const char *name;
    bool fine;
    char found[PATH_MAX + 128]; /* The value that the check found, or the problem. */
    const char *remedy;         /* The command that solves the problem, or NULL. */
};

struct dj_diagnosis {
    struct dj_check check[DJ_CHECKS];
    const char *command; /* The program, or NULL if only the machine is checked. */
    char path[PATH_MAX];
    /* The interpreter of a script, or "" if the program is not a script. */
    char interpreter[PATH_MAX];
    /* Reason why the program cannot be recorded, or NULL if it can. */
    const char *obstacle;
    struct dj_recorder_source source[DJ_SOURCES];
};

/*
 * Fills *diagnosis except `command`, which the caller sets. `hooks_object` is the path of
 * the recorder's object, or the reason why it was not found. Returns 0, or an error about
 * the program.
 */
int dj_report_diagnose(bool recorder_found, const char *hooks_object,
                       struct dj_diagnosis *diagnosis, struct dj_error *err);

/* Returns whether a recording could start. The first two checks must not have failed, and
 * the program, if one was given, must have no obstacle. */
bool dj_report_can_record(const struct dj_diagnosis *diagnosis);

/* Adds to an empty document whether recording works, a table of the checks, and what the
 * recorder would see of the program. */
void dj_report_build_diagnosis(struct dj_document *document,
                               const struct dj_diagnosis *diagnosis);

/* Appends JSON with schema dejank.doctor/1. */
void dj_report_diagnosis_json(struct dj_text *text, const struct dj_diagnosis *diagnosis);

#endif
