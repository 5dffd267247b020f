/* Names and colours of the kinds of causes in documents. */
#ifndef DEJANK_REPORT_TRIAGE_KINDS_H
#define DEJANK_REPORT_TRIAGE_KINDS_H

#include "report/document/chart.h"
#include "triage/cause.h"

struct dj_cause_style {
    const char *name;   /* Name for users, such as "waiting for a CPU". */
    const char *clause; /* Clause such as "no free CPU in %s", where %s is the section. */
    /* The letter of the kind in a timeline without colours. */
    char letter;
    enum dj_color_role role;
};

const struct dj_cause_style *dj_report_get_cause_style(enum dj_cause_kind kind);

#endif
