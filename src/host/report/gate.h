/*
 * The result of a gate: a document for people, and the forms that a CI reads: JSON
 * (dejank.gate/1, docs/format/gate.md), JUnit, and annotations. Its names come from
 * outside, so each form escapes them its own way. All functions append.
 */
#ifndef DEJANK_REPORT_GATE_H
#define DEJANK_REPORT_GATE_H

#include "gate/gate.h"
#include "report/document.h"
#include "stats/looks.h"

/* A gate and what the gate itself does not know. */
struct dj_gate_report {
    const struct dj_gate *gate;
    const char *project;
    const char *place;     /* The file that annotations refer to, the plan; NULL: none. */
    const char *store;     /* The option --store as it was given; NULL: the default. */
    bool undecided_passes; /* An undecided cell does not fail the gate. */
    /* The planned looks of a sequential test; NULL: one look. */
    const struct dj_looks *looks;
    size_t look; /* Index of the current look, from 0. */
};

/* Builds the document: the answer with its reason in one line of at most 80 columns, the
 * builds, the metrics and objectives, what the answer means, and as details all figures.
 */
void dj_report_build_gate(struct dj_document *document,
                          const struct dj_gate_report *report);

/* JSON with schema dejank.gate/1. */
void dj_report_write_gate_json(struct dj_text *text, const struct dj_gate_report *report);

/* JUnit XML: a suite per flow, a case per metric and objective of a device. */
void dj_report_write_gate_junit(struct dj_text *text,
                                const struct dj_gate_report *report);

/* GitHub's workflow commands: a line for each cell that does not pass. */
void dj_report_write_gate_github(struct dj_text *text,
                                 const struct dj_gate_report *report);
/* GitLab's code quality report: a JSON array. */
void dj_report_write_gate_gitlab(struct dj_text *text,
                                 const struct dj_gate_report *report);

#endif
