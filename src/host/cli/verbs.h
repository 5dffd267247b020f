/* The verbs of dejank, each in the file of its name. A new verb is a line here, a row in
 * main.c, and its file. */
#ifndef DEJANK_CLI_VERBS_H
#define DEJANK_CLI_VERBS_H

#include "cli/options.h"

extern const struct dj_verb dj_verb_collect;
extern const struct dj_verb dj_verb_compare;
extern const struct dj_verb dj_verb_devices;
extern const struct dj_verb dj_verb_doctor;
extern const struct dj_verb dj_verb_gate;
extern const struct dj_verb dj_verb_history;
extern const struct dj_verb dj_verb_import;
extern const struct dj_verb dj_verb_list;
extern const struct dj_verb dj_verb_parse;
extern const struct dj_verb dj_verb_profile;
extern const struct dj_verb dj_verb_record;
extern const struct dj_verb dj_verb_report;
extern const struct dj_verb dj_verb_run;
extern const struct dj_verb dj_verb_script;
extern const struct dj_verb dj_verb_show;
extern const struct dj_verb dj_verb_store;
extern const struct dj_verb dj_verb_trace_capture;
extern const struct dj_verb dj_verb_trace_read;
extern const struct dj_verb dj_verb_trace_triage;

#endif
