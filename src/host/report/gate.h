/*
 * The result of a gate in the forms that a CI reads: a page for its log, JSON
 * (dejank.gate/1, docs/format/gate.md), JUnit, Markdown for a merge request, and
 * annotations. Its names come from outside, so each form escapes them its own way. All
 * functions append.
 */
#ifndef DEJANK_REPORT_GATE_H
#define DEJANK_REPORT_GATE_H

#include "gate/gate.h"
#include "stats/looks.h"

/* A gate and what the gate itself does not know. */
struct dj_gate_report {
    const struct dj_gate *gate;
    const char *project;
    const char *place;     /* The file that annotations refer to, the plan; NULL: none. */
    bool undecided_passes; /* An undecided cell does not fail the gate. */
    /* The planned looks of a sequential test; NULL: one look. */
    const struct dj_looks *looks;
    size_t look; /* Index of the current look, from 0. */
};

/* A page of text for the log of a CI. */
void dj_report_write_gate_page(struct dj_text *text, const struct dj_gate_report *report);

/* JSON with schema dejank.gate/1. */
void dj_report_write_gate_json(struct dj_text *text, const struct dj_gate_report *report);

/* JUnit XML: a suite per flow, a case per metric and objective of a device. */
void dj_report_write_gate_junit(struct dj_text *text,
                                const struct dj_gate_report *report);

/* A table for a merge request. */
void dj_report_write_gate_markdown(struct dj_text *text,
                                   const struct dj_gate_report *report);

/* GitHub's workflow commands: a line for each cell that does not pass. */
void dj_report_write_gate_github(struct dj_text *text,
                                 const struct dj_gate_report *report);
/* GitLab's code quality report: a JSON array. */
void dj_report_write_gate_gitlab(struct dj_text *text,
                                 const struct dj_gate_report *report);

#endif
