/* A comparison of two builds that were measured on several devices: each by itself, then
 * one summary. */
#ifndef DEJANK_CLI_COMPARE_DEVICES_H
#define DEJANK_CLI_COMPARE_DEVICES_H

#include "cli/compare_sides.h"

struct dj_compare_devices {
    const struct dj_sides_request *request;
    const struct dj_sides_stores *stores; /* both of one store, each with its word */
    const struct dj_compare_rules *rules;
    const char *output; /* NULL, or a file by whose suffix it is written */
    bool json;
};

/* Judges and prints. *verdict is what the exit code is of. */
int dj_compare_devices_print(const struct dj_compare_devices *ask,
                             enum dj_judgement *verdict, struct dj_error *err);

#endif
