/*
 * What a gate answered, in the forms a CI reads: a page for its log, JSON
 * (dejank.gate/1, docs/format/gate.md), JUnit, Markdown for a merge request, and
 * annotations. Names in it come from outside: each form escapes them its own way. All
 * append.
 */
#ifndef DEJANK_REPORT_GATE_H
#define DEJANK_REPORT_GATE_H

#include "gate/gate.h"
#include "stats/looks.h"

/* What the gate itself does not know. */
struct dj_gate_report {
    const struct dj_gate *gate;
    const char *project;
    const char *place;     /* the file an annotation stands at: the plan; NULL: none */
    bool undecided_passes; /* what is undecided makes nothing fail */
    const struct dj_looks *looks; /* NULL: it is looked at once */
    size_t look;                  /* which of them this is, from 0 */
};

void dj_gate_page(struct dj_text *text, const struct dj_gate_report *report);
void dj_gate_json(struct dj_text *text, const struct dj_gate_report *report);
void dj_gate_junit(struct dj_text *text, const struct dj_gate_report *report);
void dj_gate_markdown(struct dj_text *text, const struct dj_gate_report *report);

/* GitHub's workflow commands, a line for each cell that does not pass. */
void dj_gate_github(struct dj_text *text, const struct dj_gate_report *report);
/* GitLab's code quality report: a JSON array. */
void dj_gate_gitlab(struct dj_text *text, const struct dj_gate_report *report);

#endif
