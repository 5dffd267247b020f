/*
 * Writes the result of a gate as a document for people and in the formats that a CI
 * reads: JSON (dejank.gate/1, docs/format/gate.md), JUnit, and annotations. Names in the
 * result come from outside, so each function escapes them for its format. All functions
 * append.
 */
#ifndef DEJANK_REPORT_GATE_H
#define DEJANK_REPORT_GATE_H

#include "gate/gate.h"
#include "report/document.h"
#include "stats/looks.h"

/* A gate, and facts that the report needs in addition. */
struct dj_gate_report {
    const struct dj_gate *gate;
    const char *project;
    /* Path of the plan file, to which annotations refer, or NULL. */
    const char *place;
    const char *store;     /* The option --store as the user gave it, or NULL. */
    bool undecided_passes; /* An undecided cell does not fail the gate. */
    /* The planned looks of a sequential test, or NULL for a test with one look. */
    const struct dj_looks *looks;
    size_t look; /* Index of the current look, from 0. */
};

/* Builds the document: the answer with its reason in one line of at most 80 columns, the
 * builds, the metrics and objectives, what the answer means, and as details all figures.
 */
void dj_report_build_gate(struct dj_document *document,
                          const struct dj_gate_report *report);

/* Appends JSON with schema dejank.gate/1. */
void dj_report_write_gate_json(struct dj_text *text, const struct dj_gate_report *report);

/* Appends JUnit XML with a suite per flow, and a case per metric and objective of a
 * device. */
void dj_report_write_gate_junit(struct dj_text *text,
                                const struct dj_gate_report *report);

/* Appends GitHub's workflow commands: a line for each cell that does not pass. */
void dj_report_write_gate_github(struct dj_text *text,
                                 const struct dj_gate_report *report);
/* Appends GitLab's code quality report, which is a JSON array. */
void dj_report_write_gate_gitlab(struct dj_text *text,
                                 const struct dj_gate_report *report);

#endif
